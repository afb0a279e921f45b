/* scancel.h - ends or signals jobs and steps, by number or by what they are. */
#pragma once

int scancel_main(int argc, char **argv);
