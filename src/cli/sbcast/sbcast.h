/* sbcast.h - copies a file to the nodes of a job. */
#pragma once

int sbcast_main(int argc, char **argv);
