/*
 * advice_combine.h - several changes at once, where no single one helps. Pure but for the question.
 */
#pragma once

#include "cli/sluice/advice_trial.h"

/*
 * Begins with the least of all that the job asks for, and gives back as much of each as still
 * starts it sooner: once with the time limit last, once with it first. Adds nothing where even the
 * least does not help.
 */
void combine_changes(const struct seek *seek);
