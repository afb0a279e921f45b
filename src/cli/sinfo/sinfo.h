/* sinfo.h - `sinfo`: partitions and the states of their nodes. */
#pragma once

int sinfo_main(int argc, char **argv);
