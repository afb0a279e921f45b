/* main.h - the role slurmdbd. */
#pragma once

int slurmdbd_main(int argc, char **argv);
