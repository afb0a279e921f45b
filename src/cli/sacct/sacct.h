/* sacct.h - lists jobs and steps of the past and present, from the controller's history. */
#pragma once

int sacct_main(int argc, char **argv);
