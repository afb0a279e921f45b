/*
 * munged.h - authd: the role that answers to `munged`.
 */
#pragma once

int munged_main(int argc, char **argv);
