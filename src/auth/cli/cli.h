/*
 * cli.h - the commands munge, unmunge, remunge and mungekey, for hosts without the package.
 *
 * Options, output and exit statuses are those of munge 0.5.15; the statuses are libmunge's
 * (common/authc/wire.h).
 */
#pragma once

int munge_main(int argc, char **argv);
int unmunge_main(int argc, char **argv);
int remunge_main(int argc, char **argv);
int mungekey_main(int argc, char **argv);
