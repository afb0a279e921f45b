/* sattach.h - joins the streams of a step that runs. */
#pragma once

int sattach_main(int argc, char **argv);
