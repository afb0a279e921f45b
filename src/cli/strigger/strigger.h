/* strigger.h - programs that the controller runs when something happens. */
#pragma once

int strigger_main(int argc, char **argv);
