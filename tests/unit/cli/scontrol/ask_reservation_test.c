/* What is refused here, a Slurm 22.05 refused in these words; keys that it has not are those
 * of 25.05. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "cli/scontrol/ask_reservation.h"
#include "cli/scontrol/update.h"

#define NOW       1800000000
#define WORDS_MAX 8

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static int count(char *const *argv)
{
    int n = 0;

    while (n < WORDS_MAX && argv[n])
        n++;
    return n;
}

static char *const *words_of(const char *const *argv)
{
    return (char *const *)(uintptr_t)argv;
}

/* ---- what is asked, as the message's own words ---- */

static const struct {
    const char *argv[WORDS_MAX];
    const char *message;
} changes[] = {
    { { "reservation=r" }, "name='r'" },
    { { "RES=r" }, "name='r'" },
    { { "ReservationName=r", "StartTime=now+1hour" }, "name='r' start=1800003600" },
    { { "res=r", "st=now+1hour", "e=now+2hour" }, "name='r' start=1800003600 end=1800007200" },
    { { "res=r", "Duration=90" }, "name='r' duration=5400" },
    { { "res=r", "d+=10" }, "name='r' duration=600 duration_how=1" },
    { { "res=r", "duration-=0:30" }, "name='r' duration=60 duration_how=2" },
    { { "res=r", "duration=infinite" }, "name='r' duration=infinite" },
    { { "res=r", "duration=-1" }, "name='r' duration=infinite" },
    { { "res=r", "flags=MAINT,over" }, "name='r' flags=5" },
    { { "res=r", "fl+=maint,overlap" }, "name='r' flags=5" },
    { { "res=r", "flags=+maint" }, "name='r' flags=1" },
    { { "res=r", "flags=-maint,daily" }, "name='r' flags=32 flags_less=1" },
    { { "res=r", "flags-=maint,daily" }, "name='r' flags_less=33" },
    { { "res=r", "flags=" }, "name='r'" },
    { { "res=r", "flags=maint", "flags=overlap" }, "name='r' flags=5" },
    { { "res=r", "flags=license" }, "name='r' flags=4196352" },
    { { "res=r", "flags=purge_comp" }, "name='r' flags=262144" },
    { { "res=r", "flags=purge_comp=" }, "name='r' flags=262144" },
    { { "res=r", "flags=purge_comp=x" }, "name='r' flags=262144" },
    { { "res=r", "flags=purge=10,maint" }, "name='r' flags=262145 purge_comp_s=600" },
    { { "res=r", "flags=pu=1:30" }, "name='r' flags=262144 purge_comp_s=90" },
    { { "res=r", "purgecomp=1-0" }, "name='r' flags=262144 purge_comp_s=86400" },
    { { "res=r", "nodes=a[1-2]" }, "name='r' nodes={words='a[1-2]'}" },
    { { "res=r", "Nodes+=a3" }, "name='r' nodes={how=1 words='a3'}" },
    { { "res=r", "nodes-=a3" }, "name='r' nodes={how=2 words='a3'}" },
    { { "res=r", "nodes=" }, "name='r' nodes={words=''}" },
    { { "res=r", "nodecnt=2" }, "name='r' node_cnt=2" },
    { { "res=r", "nodec=1k,2" }, "name='r' node_cnt=1024,2" },
    { { "res=r", "nodecount=3," }, "name='r' node_cnt=3" },
    { { "res=r", "nodecnt=1,0,4" }, "name='r' node_cnt=1" },
    { { "res=r", "nodecnt=0" }, "name='r' node_cnt=0" },
    { { "res=r", "nodecnt=" }, "name='r'" },
    { { "res=r", "nodecnt=5", "nodecnt=7" }, "name='r' node_cnt=7" },
    { { "res=r", "corecnt=1,2" }, "name='r' core_cnt=1,2" },
    { { "res=r", "corecount=3" }, "name='r' core_cnt=3" },
    { { "res=r", "cpucnt=3" }, "name='r' core_cnt=3" },
    { { "res=r", "tres=cpu=4,node=2" }, "name='r' node_cnt=2 core_cnt=4" },
    { { "res=r", "T=NODE=1K" }, "name='r' node_cnt=1024" },
    { { "res=r", "tres=gres/gpu=2,gres/gpu:a100=1" }, "name='r' gres='gpu:2,gpu:a100:1'" },
    { { "res=r", "tres=license/lab@server=3,license/b=1" },
      "name='r' licenses='lab@server:3,b:1'" },
    { { "res=r", "tres=" }, "name='r'" },
    { { "res=r", "trespernode=gres/gpu=2" }, "name='r' gres_per_node='gpu:2'" },
    { { "res=r", "TRESPer=gres/gpu:a100:2,gres:nic" },
      "name='r' gres_per_node='gpu:a100:2,nic:1'" },
    { { "res=r", "features=a&b", "licenses=x:2", "p=main" },
      "name='r' features='a&b' partition='main' licenses='x:2'" },
    { { "res=r", "partition=", "licenses=", "fe=" },
      "name='r' features='' partition='' licenses=''" },
    { { "res=r", "users=ann,-bob" }, "name='r' users={words='ann,-bob'}" },
    { { "res=r", "user+=ann", "account-=lab" },
      "name='r' users={how=1 words='ann'} accounts={how=2 words='lab'}" },
    { { "res=r", "users=", "groups=staff" }, "name='r' users={words=''} groups={words='staff'}" },
    { { "res=r", "qos=high", "allowedpartitions+=main,spare" },
      "name='r' qos={words='high'} partitions={how=1 words='main,spare'}" },
    { { "res=r", "maxstartdelay=5" }, "name='r' max_start_delay_s=300" },
    { { "res=r", "ma=0" }, "name='r' max_start_delay_s=0" },
    { { "res=r", "comment=for the course" }, "name='r' comment='for the course'" },
    { { "res=r", "SKIP" }, "name='r' skip=yes" },
    { { "reservation", "res=r" }, "name='r'" },
    { { "res=r", "burstbuffer=", "watts=n/a" }, "name='r'" },
};

START_TEST(what_is_to_change_is_read)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    AUTO(strbuf) struct strbuf text = { 0 };
    char *const *argv = words_of(changes[_i].argv);
    struct err err = { 0 };

    reservation_ask_init(&ask);
    ck_assert_msg(ask_parse_reservation(RESV_UPDATE, count(argv), argv, NOW, &ask, &err) == 0, "%s",
                  err.text);

    schema_print(reservation_ask_schema(), &ask, &text);
    ck_assert_str_eq(strbuf_text(&text), changes[_i].message);
}
END_TEST

#define WHEN "start=now+1hour", "duration=5"
#define ASKS "start=1800003600 duration=300"

static const struct {
    const char *argv[WORDS_MAX];
    const char *message;
} news[] = {
    { { "res=r", WHEN, "users=ann", "nodecnt=1" },
      "name='r' " ASKS " node_cnt=1 users={words='ann'}" },
    { { "reservation", WHEN, "users=ann", "corecnt=1" }, ASKS " core_cnt=1 users={words='ann'}" },
    { { "res=", WHEN, "accounts=lab", "nodes=all" },
      ASKS " nodes={words='all'} accounts={words='lab'}" },
    { { "res=r", "st=now", "end=now", "users=ann", "nodecnt=1" },
      "name='r' start=1800000000 end=1800000000 node_cnt=1 users={words='ann'}" },
    { { "res=r", "st=now", "end=now+1hour", "d=60", "users=ann", "nodecnt=1" },
      "name='r' start=1800000000 end=1800003600 duration=3600 node_cnt=1 users={words='ann'}" },
    /* nothing is there that could become more or less */
    { { "res=r", WHEN, "users-=ann,bob", "nodecnt=1" },
      "name='r' " ASKS " node_cnt=1 users={words='-ann,-bob'}" },
    { { "res=r", "st=now+1hour", "d+=5", "users+=ann", "nodecnt=1" },
      "name='r' " ASKS " node_cnt=1 users={words='ann'}" },
    { { "res=r", WHEN, "qos=high", "licenses=x:1" },
      "name='r' " ASKS " licenses='x:1' qos={words='high'}" },
    { { "res=r", WHEN, "allowedp=main", "tres=gres/gpu=1" },
      "name='r' " ASKS " gres='gpu:1' partitions={words='main'}" },
    { { "res=r", WHEN, "groups=staff", "nodes=ALL", "part=main", "flags=part" },
      "name='r' " ASKS " flags=8192 nodes={words='ALL'} partition='main' "
      "groups={words='staff'}" },
};

START_TEST(a_new_one_is_read)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    AUTO(strbuf) struct strbuf text = { 0 };
    char *const *argv = words_of(news[_i].argv);
    struct err err = { 0 };

    reservation_ask_init(&ask);
    ck_assert_msg(ask_parse_reservation(RESV_CREATE, count(argv), argv, NOW, &ask, &err) == 0, "%s",
                  err.text);

    schema_print(reservation_ask_schema(), &ask, &text);
    ck_assert_str_eq(strbuf_text(&text), news[_i].message);
}
END_TEST

/* ---- what is refused ---- */

#define ERROR "scontrol: error: "
#define NONE  "  No reservation created."
#define KEPT  "  No reservation update."

static const struct {
    enum reservation_verb verb;
    const char *argv[WORDS_MAX];
    const char *text;
} bad[] = {
    { RESV_CREATE, { "res=r" }, ERROR "A start time must be given." NONE },
    { RESV_CREATE,
      { "res=r", "d=5", "users=a", "nodecnt=1" },
      ERROR "A start time must be given." NONE },
    { RESV_CREATE,
      { "res=r", "st=now", "users=a", "nodecnt=1" },
      ERROR "An end time or duration must be given." NONE },
    { RESV_CREATE,
      { "res=r", "st=now", "d=5", "end=now" },
      ERROR "StartTime + Duration does not equal EndTime." NONE },
    { RESV_CREATE,
      { "res=r", "st=now", "d=infinite", "end=now" },
      ERROR "StartTime + Duration does not equal EndTime." NONE },
    { RESV_CREATE,
      { "res=r", "st=now+1hour", "end=now" },
      ERROR "Start time cannot be after end time." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "flags=part" },
      ERROR "PART_NODES flag requires specifying a Partition and ALL nodes." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "flags=part", "users=a", "p=main", "nodes=a1" },
      ERROR "PART_NODES flag requires specifying a Partition and ALL nodes." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "users=a" },
      ERROR "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "users=a", "nodecnt=0" },
      ERROR "CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "nodecnt=1" },
      ERROR "Either Users/Groups and/or Accounts must be specified." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "users=", "nodecnt=1" },
      ERROR "Either Users/Groups and/or Accounts must be specified." NONE },
    { RESV_CREATE,
      { "res=r", WHEN, "users=a", "groups=", "nodecnt=1" },
      ERROR "Users and Groups are mutually exclusive.  You can have one or the other, but not "
            "both." NONE },
    { RESV_CREATE,
      { "res=r", "nodes+=a1" },
      ERROR "The +=/-= notation is not supported when updating nodes." NONE },
    { RESV_CREATE,
      { "res=r", "nodecnt+=1" },
      ERROR "The +=/-= notation is not supported when updating nodecnt." NONE },
    { RESV_CREATE,
      { "res=r", "zz" },
      ERROR "Misformatted parameter 'zz', most options have a parameter after '='." NONE },
    { RESV_CREATE,
      { "res=r", "users=a", "users=b" },
      ERROR "Parameter users=b specified more than once" },
    { RESV_CREATE,
      { "res=r", "groups=a", "groups+=b" },
      ERROR "Parameter groups+=b specified more than once" },
    { RESV_UPDATE, { "duration=5" }, ERROR "Reservation must be given." KEPT },
    { RESV_UPDATE, { "res=r", "foo=bar" }, ERROR "Unknown parameter foo=bar." KEPT },
    { RESV_UPDATE, { "re=r" }, ERROR "Unknown parameter re=r." KEPT },
    { RESV_UPDATE, { "res=r", "=x" }, ERROR "Unknown parameter =x." KEPT },
    { RESV_UPDATE, { "res=r", "skip=yes" }, ERROR "Unknown parameter skip=yes." KEPT },
    { RESV_UPDATE,
      { "res=r", "sk" },
      ERROR "Misformatted parameter 'sk', most options have a parameter after '='." KEPT },
    { RESV_UPDATE,
      { "res=r", "partition+=x" },
      ERROR "The +=/-= notation is not supported when updating partition." KEPT },
    { RESV_UPDATE, { "res=r", "duration=x" }, ERROR "Invalid duration duration=x." KEPT },
    { RESV_UPDATE, { "res=r", "duration+=+5" }, ERROR "Invalid duration duration+=+5." KEPT },
    { RESV_UPDATE, { "res=r", "duration=" }, ERROR "Invalid duration duration=." KEPT },
    { RESV_UPDATE, { "res=r", "max=infinite" }, ERROR "Invalid duration max=infinite." KEPT },
    { RESV_UPDATE, { "res=r", "max=" }, ERROR "Invalid duration max=." KEPT },
    { RESV_UPDATE, { "res=r", "purgecomp=x" }, ERROR "Invalid duration purgecomp=x." KEPT },
    { RESV_UPDATE, { "res=r", "flags=x" }, ERROR "Error parsing flags x." KEPT },
    { RESV_UPDATE,
      { "res=r", "flags=maint,,daily" },
      ERROR "Error parsing flags maint,,daily." KEPT },
    { RESV_UPDATE,
      { "res=r", "flags=maint, daily" },
      ERROR "Error parsing flags maint, daily." KEPT },
    { RESV_UPDATE, { "res=r", "flags=daily=5" }, ERROR "Error parsing flags daily=5." KEPT },
    { RESV_UPDATE,
      { "res=r", "flags+=time_float" },
      ERROR "Error parsing flags +time_float." KEPT },
    { RESV_UPDATE,
      { "res=r", "flags-=maint,overlap" },
      ERROR "Error parsing flags -maint,-overlap." KEPT },
    { RESV_UPDATE, { "res=r", "nodecnt=x" }, ERROR "Invalid node count x" },
    { RESV_UPDATE, { "res=r", "nodecnt=1-2" }, ERROR "Invalid node count 1-2" },
    { RESV_UPDATE, { "res=r", "nodecnt=-1" }, ERROR "Invalid node count -1" },
    { RESV_UPDATE, { "res=r", "nodecnt=99999999999" }, ERROR "Invalid node count 99999999999" },
    { RESV_UPDATE, { "res=r", "corecnt=1k" }, ERROR "Invalid core count 1k" },
    { RESV_UPDATE, { "res=r", "tres=cpu" }, ERROR "invalid TRES 'cpu'" },
    { RESV_UPDATE, { "res=r", "tres=cpu=" }, ERROR "invalid TRES 'cpu'" },
    { RESV_UPDATE, { "res=r", "tres==1" }, ERROR "invalid TRES '=1'" },
    { RESV_UPDATE, { "res=r", "tres=cpu=1k" }, ERROR "invalid TRES cpu value '1k'" },
    { RESV_UPDATE, { "res=r", "tres=node=x" }, ERROR "Invalid TRES node count x" },
    { RESV_UPDATE, { "res=r", "tres=gres/gpu=x" }, ERROR "invalid TRES gres/gpu value 'x'" },
    { RESV_UPDATE,
      { "res=r", "tres=mem=1G" },
      ERROR "TRES type 'mem' not supported with reservations" },
    { RESV_UPDATE, { "res=r", "tres=foo=1" }, ERROR "couldn't identify configured TRES 'foo'" },
    { RESV_UPDATE, { "res=r", "tres=gres/=1" }, ERROR "couldn't identify configured TRES 'gres/'" },
    { RESV_UPDATE,
      { "res=r", "trespernode=cpu=1" },
      ERROR "couldn't identify configured TRES 'cpu'" },
    { RESV_UPDATE,
      { "res=r", "trespernode=gres/gpu:a:b:c" },
      ERROR "invalid TRES 'gres/gpu:a:b:c'" },
    { RESV_UPDATE, { "res=r", "watts=x" }, ERROR "Invalid Watts value: x" },
    { RESV_UPDATE,
      { "res=r", "watts=5k" },
      ERROR "There is no power management to reserve watts of: watts=5k." KEPT },
    { RESV_UPDATE,
      { "res=r", "burstbuffer=x" },
      ERROR "There are no burst buffers to reserve: burstbuffer=x." KEPT },
};

START_TEST(what_cannot_be_is_refused_in_slurms_words)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    char *const *argv = words_of(bad[_i].argv);
    struct err err = { 0 };

    reservation_ask_init(&ask);
    ck_assert_int_eq(ask_parse_reservation(bad[_i].verb, count(argv), argv, NOW, &ask, &err),
                     -EINVAL);

    ck_assert_str_eq(err.text, bad[_i].text);
}
END_TEST

START_TEST(a_moment_that_is_none_is_told_with_its_key)
{
    static const char *const argv[] = { "res=r", "endtime=bogus" };
    AUTO(reservation_ask) struct reservation_ask ask;
    struct err err = { 0 };

    reservation_ask_init(&ask);
    ck_assert_int_eq(ask_parse_reservation(RESV_UPDATE, 2, words_of(argv), NOW, &ask, &err),
                     -E_TIME_VALUE);

    ck_assert_str_eq(err.text, "Invalid time specification (pos=0): bogus\n" ERROR
                               "Invalid end time endtime=bogus." KEPT);
}
END_TEST

/* ---- what is meant ---- */

static const struct {
    const char *argv[WORDS_MAX];
    bool means;
    enum update_entity entity;
} meant[] = {
    { { "reservation=r", "duration=5" }, true, UPDATE_RESERVATION },
    { { "duration=5", "reservationname=r" }, true, UPDATE_RESERVATION },
    { { "partition=a", "rese=r" }, true, UPDATE_RESERVATION },
    { { "reservation" }, true, UPDATE_RESERVATION },
    { { "res", "zz" }, true, UPDATE_RESERVATION },
    { { "jobid=5", "reservation=r" }, true, UPDATE_JOB },
    { { "reservation=r", "jobid=5" }, true, UPDATE_JOB },
    { { "nodename=a", "state=resume" }, false, UPDATE_NODE },
    { { "resv=r" }, false, UPDATE_NONE },
    { { "re=r" }, false, UPDATE_NONE },
    { { "x", "reservation" }, false, UPDATE_NONE },
};

START_TEST(words_that_name_a_reservation_are_about_one)
{
    char *const *argv = words_of(meant[_i].argv);
    const char *word;

    ck_assert_int_eq(ask_means_reservation(count(argv), argv), meant[_i].means);
    ck_assert_int_eq(update_entity_of(count(argv), argv, &word), meant[_i].entity);
}
END_TEST

CHECK_MAIN_WITH(ask_reservation, before, NULL,
                LOOP_CASE(what_is_to_change_is_read, ARRAY_N(changes)),
                LOOP_CASE(a_new_one_is_read, ARRAY_N(news)),
                LOOP_CASE(what_cannot_be_is_refused_in_slurms_words, ARRAY_N(bad)),
                CASE(a_moment_that_is_none_is_told_with_its_key),
                LOOP_CASE(words_that_name_a_reservation_are_about_one, ARRAY_N(meant)))
