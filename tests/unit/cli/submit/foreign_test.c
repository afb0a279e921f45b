/* What Slurm 22.05 makes of these lines, but where the case says otherwise. */
#include "unit/check_main.h"

#include <string.h>

#include "cli/submit/foreign.h"

static const struct {
    const char *line;
    const char *words;
} given[] = {
    { "#PBS -l nodes=3+ppn=2,mem=1024mb", "--nodes=3 --ntasks=6 --mem=1024mb" },
    { "#PBS -l nodes=3:ppn=2", "--nodes=3 --ntasks=6" },
    { "#PBS -l nodes=a+b", "--nodelist=a,b" },
    { "#PBS -l nodes=a:ppn=2+b:ppn=3", "--nodelist=a,b --ntasks=5" },
    { "#PBS -l nodes=2:ppn=4:big", "--constraint=big --nodes=2 --ntasks=8" }, /* Slurm: a node */
    { "#PBS -l walltime=01:30:00", "--time=01:30:00" },
    { "#PBS -l ncpus=4", "--mincpus=4" },
    { "#PBS -l select=2:ncpus=4:mem=1gb", "--nodes=2 --mincpus=4 --mem=1gb" },
    { "#PBS -l file=10gb,nice=5,proc=x", "--tmp=10gb --nice=5 --constraint=x" },
    { "#PBS -l accelerator=true,naccelerators=2", "--gres=gpu:1 --gres=gpu:2" },
    { "#PBS -l pmem=500mb,software=x,size=", "" },
    { "#PBS -N name -A acct -q queue", "--job-name=name --account=acct --partition=queue" },
    { "#PBS -Nname -h -V -I -z", "--job-name=name --hold" },
    { "#PBS -e err -o out -j oe -r n", "--error=err --output=out" },
    { "#PBS -J 1-3 -t 4-5", "--array=1-3 --array=4-5" },
    { "#PBS -m abe -M a@b", "--mail-type=FAIL,BEGIN,END --mail-user=a@b" },
    { "#PBS -m n", "--mail-type=NONE" },
    { "#PBS -v A=1,B=2 -p 5", "--export=A=1,B=2 --nice=5" },
    { "#PBS -W depend=afterok:5", "--dependency=afterok:5" },
    { "#PBS -W group_list=x", "" },
    { "#BSUB -J name -n 4,8 -x", "--job-name=name --ntasks=8 --exclusive" },
    { "#BSUB -o out -e err -q queue -c /tmp",
      "--output=out --error=err --partition=queue --chdir=/tmp" },
    { "#BSUB -W 90", "--time=90" },
    { "#BSUB -W 1:30", "--time=1:30:00" }, /* Slurm takes it for minutes and seconds */
    { "#BSUB -M 1000", "--mem-per-cpu=1" },
    { "#BSUB -m \"a b\"", "--nodelist=a,b" },
};

static const struct foreign_system *system_of(const char *line)
{
    for (uint32_t i = 0; i < foreign_systems_n; i++) {
        if (strncmp(line, foreign_systems[i].magic, strlen(foreign_systems[i].magic)) == 0)
            return &foreign_systems[i];
    }
    ck_abort_msg("%s", line);
}

static int translate(const char *line, struct words *words, struct err *err)
{
    const struct foreign_system *system = system_of(line);
    AUTO_FREE char *script = xasprintf("#!/bin/sh\n%s\n", line);
    AUTO(directives) struct directives lines = { 0 };

    ck_assert_int_eq(directives_parse(script, strlen(script), system->magic, &lines, NULL), 0);
    ck_assert_uint_eq(lines.n, 1);
    return system->translate(&lines.at[0], words, err);
}

START_TEST(other_systems_options_become_those_of_sbatch)
{
    AUTO(words) struct words words = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct err err = { 0 };

    ck_assert_msg(translate(given[_i].line, &words, &err) == 0, "%s", err.text);

    for (uint32_t i = 0; i < words.n; i++)
        strbuf_addf(&text, "%s%s", i ? " " : "", words.at[i]);
    ck_assert_str_eq(strbuf_text(&text), given[_i].words);
}
END_TEST

static const struct {
    const char *line;
    const char *text;
} wrong[] = {
    { "#PBS -Z", "invalid option -- 'Z'" },
    { "#PBS --name=x", "unrecognized option '--name=x'" },
    { "#PBS -N", "option requires an argument -- 'N'" },
    { "#PBS -m x", "Invalid -m specification: x" },
    { "#PBS -l nodes=2:ppn=few", "Invalid -l specification: 2:ppn=few" },
    { "#BSUB -R span[hosts=1]", "invalid option -- 'R'" },
    { "#BSUB -M much", "Invalid -M specification: much" },
    { "#BSUB -oo out", "Invalid argument: out" },
};

START_TEST(what_is_no_option_there_is_refused)
{
    AUTO(words) struct words words = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(translate(wrong[_i].line, &words, &err), 0);

    ck_assert_str_eq(err.text, wrong[_i].text);
}
END_TEST

CHECK_MAIN(foreign, LOOP_CASE(other_systems_options_become_those_of_sbatch, ARRAY_N(given)),
           LOOP_CASE(what_is_no_option_there_is_refused, ARRAY_N(wrong)))
