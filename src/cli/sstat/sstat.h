/* sstat.h - what the steps of running jobs use now. */
#pragma once

int sstat_main(int argc, char **argv);
