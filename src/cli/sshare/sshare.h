/* sshare.h - shares of accounts and what they have used. */
#pragma once

int sshare_main(int argc, char **argv);
