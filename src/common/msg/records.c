/* records.c - the schemas that the declarations in this folder promise. */
#include "common/msg/alter.h"
#include "common/msg/bcast.h"
#include "common/msg/change.h"
#include "common/msg/hook.h"
#include "common/msg/job.h"
#include "common/msg/join.h"
#include "common/msg/mail.h"
#include "common/msg/mpi.h"
#include "common/msg/session.h"
#include "common/msg/visit.h"

SCHEMA_DEFINE(bcast_head, BCAST_HEAD)
SCHEMA_DEFINE(mail, MAIL)
SCHEMA_DEFINE(rlimit_spec, RLIMIT_SPEC)
SCHEMA_DEFINE(step_program, STEP_PROGRAM)
SCHEMA_DEFINE(step_spec, STEP_SPEC)
SCHEMA_DEFINE(task_exit, TASK_EXIT)
SCHEMA_DEFINE(task_usage, TASK_USAGE)
SCHEMA_DEFINE(usage_spread, USAGE_SPREAD)
SCHEMA_DEFINE(step_usage, STEP_USAGE)
SCHEMA_DEFINE(step_node, STEP_NODE)
SCHEMA_DEFINE(step_record, STEP_RECORD)
SCHEMA_DEFINE(step_run, STEP_RUN)
SCHEMA_DEFINE(step_event, STEP_EVENT)
SCHEMA_DEFINE(launch_body, LAUNCH_BODY)
SCHEMA_DEFINE(launch_cred, LAUNCH_CRED)
SCHEMA_DEFINE(order_launch, ORDER_LAUNCH)
SCHEMA_DEFINE(order_signal, ORDER_SIGNAL)
SCHEMA_DEFINE(order_end, ORDER_END)
SCHEMA_DEFINE(order_forget, ORDER_FORGET)
SCHEMA_DEFINE(step_report, STEP_REPORT)

SCHEMA_DEFINE(hook_cred, HOOK_CRED)
SCHEMA_DEFINE(order_hook, ORDER_HOOK)
SCHEMA_DEFINE(hook_report, HOOK_REPORT)

SCHEMA_DEFINE(job_spec, JOB_SPEC)
SCHEMA_DEFINE(job_gres, JOB_GRES)
SCHEMA_DEFINE(job_node, JOB_NODE)
SCHEMA_DEFINE(job_dependency, JOB_DEPENDENCY)
SCHEMA_DEFINE(job_record, JOB_RECORD)
SCHEMA_DEFINE(job_blocker, JOB_BLOCKER)
SCHEMA_DEFINE(job_info, JOB_INFO)
SCHEMA_DEFINE(job_submit, JOB_SUBMIT)
SCHEMA_DEFINE(job_submitted, JOB_SUBMITTED)
SCHEMA_DEFINE(job_allocate, JOB_ALLOCATE)
SCHEMA_DEFINE(job_event, JOB_EVENT)
SCHEMA_DEFINE(job_attach, JOB_ATTACH)
SCHEMA_DEFINE(job_signal, JOB_SIGNAL)
SCHEMA_DEFINE(job_release, JOB_RELEASE)
SCHEMA_DEFINE(job_script, JOB_SCRIPT)
SCHEMA_DEFINE(job_list, JOB_LIST)
SCHEMA_DEFINE(history_list, HISTORY_LIST)
SCHEMA_DEFINE(history_job, HISTORY_JOB)

SCHEMA_DEFINE(job_update, JOB_UPDATE)
SCHEMA_DEFINE(job_rerun, JOB_RERUN)
SCHEMA_DEFINE(job_suspend, JOB_SUSPEND)
SCHEMA_DEFINE(job_top, JOB_TOP)
SCHEMA_DEFINE(job_notify, JOB_NOTIFY)
SCHEMA_DEFINE(job_refusal, JOB_REFUSAL)
SCHEMA_DEFINE(job_altered, JOB_ALTERED)

SCHEMA_DEFINE(node_hardware, NODE_HARDWARE)
SCHEMA_DEFINE(node_register, NODE_REGISTER)
SCHEMA_DEFINE(node_welcome, NODE_WELCOME)
SCHEMA_DEFINE(controller_key, CONTROLLER_KEY)
SCHEMA_DEFINE(node_report, NODE_REPORT)
SCHEMA_DEFINE(node_record, NODE_RECORD)
SCHEMA_DEFINE(gres_info, GRES_INFO)
SCHEMA_DEFINE(node_info, NODE_INFO)
SCHEMA_DEFINE(node_list, NODE_LIST)
SCHEMA_DEFINE(node_update, NODE_UPDATE)
SCHEMA_DEFINE(partition_list, PARTITION_LIST)
SCHEMA_DEFINE(partition_change, PARTITION_CHANGE)
SCHEMA_DEFINE(partition_info, PARTITION_INFO)
SCHEMA_DEFINE(switch_info, SWITCH_INFO)
SCHEMA_DEFINE(license_info, LICENSE_INFO)

SCHEMA_DEFINE(io_hello, IO_HELLO)
SCHEMA_DEFINE(io_data, IO_DATA)
SCHEMA_DEFINE(io_task_start, IO_TASK_START)
SCHEMA_DEFINE(io_task_exit, IO_TASK_EXIT)
SCHEMA_DEFINE(io_signal, IO_SIGNAL)
SCHEMA_DEFINE(io_window, IO_WINDOW)
SCHEMA_DEFINE(io_credit, IO_CREDIT)
SCHEMA_DEFINE(io_relay, IO_RELAY)
SCHEMA_DEFINE(io_relayed, IO_RELAYED)
SCHEMA_DEFINE(io_abort, IO_ABORT)
SCHEMA_DEFINE(mpi_piece, MPI_PIECE)

SCHEMA_DEFINE(step_process, STEP_PROCESS)
SCHEMA_DEFINE(step_sight, STEP_SIGHT)
SCHEMA_DEFINE(node_step, NODE_STEP)
SCHEMA_DEFINE(node_sight, NODE_SIGHT)

SCHEMA_DEFINE(session_hello, SESSION_HELLO)
SCHEMA_DEFINE(session_proof, SESSION_PROOF)
SCHEMA_DEFINE(session_claim, SESSION_CLAIM)
SCHEMA_DEFINE(session_verdict, SESSION_VERDICT)

SCHEMA_DEFINE(join_hello, JOIN_HELLO)
SCHEMA_DEFINE(join_request, JOIN_REQUEST)
SCHEMA_DEFINE(join_file, JOIN_FILE)
SCHEMA_DEFINE(join_answer, JOIN_ANSWER)

SCHEMA_DEFINE(change, CHANGE_FIELDS)
SCHEMA_DEFINE(turn_changes, TURN_CHANGES)
