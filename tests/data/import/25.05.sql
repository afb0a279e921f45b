-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: 
-- ------------------------------------------------------

/*!40101 SET NAMES utf8mb4 */;

--
-- Current Database: `slurm_acct_db`
--

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `slurm_acct_db` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;

USE `slurm_acct_db`;

DROP TABLE IF EXISTS `acct_coord_table`;
CREATE TABLE `acct_coord_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `acct` text DEFAULT NULL,
  `user` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `acct_coord_table` WRITE;
/*!40000 ALTER TABLE `acct_coord_table` DISABLE KEYS */;
INSERT INTO `acct_coord_table` VALUES
(1741604310,1741604310,0,'geo','erin');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `acct_table`;
CREATE TABLE `acct_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `description` text DEFAULT NULL,
  `organization` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `acct_table` WRITE;
/*!40000 ALTER TABLE `acct_table` DISABLE KEYS */;
INSERT INTO `acct_table` VALUES
(1741604310,1741604310,0,NULL,'root','default root account','root'),
(1741604310,1741604310,0,1,'geo','earth','science'),
(1741604310,1741604310,0,NULL,'rock','below earth','science'),
(1741604310,1741604310,1,NULL,'old','closed','science');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `clus_res_table`;
CREATE TABLE `clus_res_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `cluster` text DEFAULT NULL,
  `res_id` text DEFAULT NULL,
  `allowed` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
DROP TABLE IF EXISTS `cluster_table`;
CREATE TABLE `cluster_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `control_host` text DEFAULT NULL,
  `control_port` text DEFAULT NULL,
  `last_port` text DEFAULT NULL,
  `rpc_version` text DEFAULT NULL,
  `classification` text DEFAULT NULL,
  `dimensions` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `federation` text DEFAULT NULL,
  `features` text DEFAULT NULL,
  `fed_id` text DEFAULT NULL,
  `fed_state` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `cluster_table` WRITE;
/*!40000 ALTER TABLE `cluster_table` DISABLE KEYS */;
INSERT INTO `cluster_table` VALUES
(1741604310,1741604310,0,'lab',2986,'127.0.0.1',6817,NULL,11008,NULL,NULL,NULL,'','',NULL,NULL),
(1741604310,1741604310,1,'gone',2987,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'','',NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `convert_version_table`;
CREATE TABLE `convert_version_table` (
  `mod_time` text DEFAULT NULL,
  `version` text DEFAULT NULL,
  KEY `k` (`mod_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `convert_version_table` WRITE;
/*!40000 ALTER TABLE `convert_version_table` DISABLE KEYS */;
INSERT INTO `convert_version_table` VALUES
(0,16);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `federation_table`;
CREATE TABLE `federation_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `federation_table` WRITE;
/*!40000 ALTER TABLE `federation_table` DISABLE KEYS */;
INSERT INTO `federation_table` VALUES
(1741604310,1741604310,0,'union',NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `txn_table`;
CREATE TABLE `txn_table` (
  `id` text DEFAULT NULL,
  `timestamp` text DEFAULT NULL,
  `action` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `actor` text DEFAULT NULL,
  `cluster` text DEFAULT NULL,
  `info` text DEFAULT NULL,
  KEY `k` (`id`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `txn_table` WRITE;
INSERT INTO `txn_table` VALUES
(1,1741604310,1405,'union','root','',NULL),
(2,1741604311,1401,'erin','root','',NULL);
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_table`;
CREATE TABLE `lab_assoc_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `comment` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `is_def` text DEFAULT NULL,
  `id_assoc` text DEFAULT NULL,
  `user` text DEFAULT NULL,
  `acct` text DEFAULT NULL,
  `partition` text DEFAULT NULL,
  `parent_acct` text DEFAULT NULL,
  `id_parent` text DEFAULT NULL,
  `lineage` text DEFAULT NULL,
  `shares` text DEFAULT NULL,
  `max_jobs` text DEFAULT NULL,
  `max_jobs_accrue` text DEFAULT NULL,
  `min_prio_thresh` text DEFAULT NULL,
  `max_submit_jobs` text DEFAULT NULL,
  `max_tres_pj` text DEFAULT NULL,
  `max_tres_pn` text DEFAULT NULL,
  `max_tres_mins_pj` text DEFAULT NULL,
  `max_tres_run_mins` text DEFAULT NULL,
  `max_wall_pj` text DEFAULT NULL,
  `grp_jobs` text DEFAULT NULL,
  `grp_jobs_accrue` text DEFAULT NULL,
  `grp_submit_jobs` text DEFAULT NULL,
  `grp_tres` text DEFAULT NULL,
  `grp_tres_mins` text DEFAULT NULL,
  `grp_tres_run_mins` text DEFAULT NULL,
  `grp_wall` text DEFAULT NULL,
  `priority` text DEFAULT NULL,
  `def_qos_id` text DEFAULT NULL,
  `qos` text DEFAULT NULL,
  `delta_qos` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_assoc_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_table` DISABLE KEYS */;
INSERT INTO `lab_assoc_table` VALUES
(1741604310,1741604310,0,NULL,NULL,0,1,'','root','','',0,'/',1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,',1,',''),
(1741604310,1741604310,0,NULL,131072,1,2,'root','root','','',1,'/0-root/',1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604310,1741604310,0,'it\'s a \"rock\"',NULL,0,3,'','rock','','geo',4,'/geo/rock/',1,NULL,NULL,NULL,NULL,'','','','',1440,NULL,NULL,NULL,'1002=4','','',NULL,NULL,NULL,',1,7,',''),
(1741604310,1741604310,0,NULL,1,0,4,'','geo','','root',1,'/geo/',5,NULL,NULL,NULL,NULL,'','','','1=100',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604310,1741604310,0,NULL,NULL,1,5,'erin','rock','','',3,'/geo/rock/0-erin/',1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,7,'',''),
(1741604310,1741604310,0,NULL,NULL,1,6,'Frank','rock','','',3,'/geo/rock/0-Frank/',1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604310,1741604310,1,NULL,NULL,0,7,'gone','old','','',1,'/old/0-gone/',1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'','');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_event_table`;
CREATE TABLE `lab_event_table` (
  `deleted` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `time_end` text DEFAULT NULL,
  `node_name` text DEFAULT NULL,
  `extra` text DEFAULT NULL,
  `cluster_nodes` text DEFAULT NULL,
  `instance_id` text DEFAULT NULL,
  `instance_type` text DEFAULT NULL,
  `reason` text DEFAULT NULL,
  `reason_uid` text DEFAULT NULL,
  `state` text DEFAULT NULL,
  `tres` text DEFAULT NULL,
  KEY `k` (`deleted`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_event_table` WRITE;
/*!40000 ALTER TABLE `lab_event_table` DISABLE KEYS */;
INSERT INTO `lab_event_table` VALUES
(0,1741604310,0,'',NULL,'worker-[1-2]',NULL,NULL,'Cluster Registered TRES',4294967294,0,'1=8,2=8000,4=2,5=8'),
(0,1741604410,0,'worker-2',NULL,'',NULL,NULL,'Not responding',976,2049,'1=4,2=4000,5=4'),
(0,1741604320,1741604360,'worker-1',NULL,'',NULL,NULL,'rebooted',976,1,'1=4,2=4000,5=4');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_env_table`;
CREATE TABLE `lab_job_env_table` (
  `deleted` text DEFAULT NULL,
  `hash_inx` text DEFAULT NULL,
  `last_used` text DEFAULT NULL,
  `env_hash` text DEFAULT NULL,
  `env_vars` text DEFAULT NULL,
  KEY `k` (`deleted`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_job_env_table` WRITE;
/*!40000 ALTER TABLE `lab_job_env_table` DISABLE KEYS */;
INSERT INTO `lab_job_env_table` VALUES
(0,1,'2025-03-10 10:58:30','K12:abc','HOME=/home/erin\nEMPTY=\nTWO=first\nsecond line\n');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_script_table`;
CREATE TABLE `lab_job_script_table` (
  `deleted` text DEFAULT NULL,
  `hash_inx` text DEFAULT NULL,
  `last_used` text DEFAULT NULL,
  `script_hash` text DEFAULT NULL,
  `batch_script` text DEFAULT NULL,
  KEY `k` (`deleted`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_job_script_table` WRITE;
/*!40000 ALTER TABLE `lab_job_script_table` DISABLE KEYS */;
INSERT INTO `lab_job_script_table` VALUES
(0,1,'2025-03-10 10:58:30','K12:def','#!/bin/sh\n#SBATCH --mem=1\nprintf \'%s\\n\' \"it works\"\n');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_table`;
CREATE TABLE `lab_job_table` (
  `job_db_inx` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `account` text DEFAULT NULL,
  `admin_comment` text DEFAULT NULL,
  `array_task_str` text DEFAULT NULL,
  `array_max_tasks` text DEFAULT NULL,
  `array_task_pending` text DEFAULT NULL,
  `constraints` text DEFAULT NULL,
  `container` text DEFAULT NULL,
  `cpus_req` text DEFAULT NULL,
  `derived_ec` text DEFAULT NULL,
  `derived_es` text DEFAULT NULL,
  `env_hash_inx` text DEFAULT NULL,
  `exit_code` text DEFAULT NULL,
  `extra` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `failed_node` text DEFAULT NULL,
  `job_name` text DEFAULT NULL,
  `id_assoc` text DEFAULT NULL,
  `id_array_job` text DEFAULT NULL,
  `id_array_task` text DEFAULT NULL,
  `id_block` text DEFAULT NULL,
  `id_job` text DEFAULT NULL,
  `id_qos` text DEFAULT NULL,
  `id_resv` text DEFAULT NULL,
  `id_wckey` text DEFAULT NULL,
  `id_user` text DEFAULT NULL,
  `id_group` text DEFAULT NULL,
  `het_job_id` text DEFAULT NULL,
  `het_job_offset` text DEFAULT NULL,
  `kill_requid` text DEFAULT NULL,
  `state_reason_prev` text DEFAULT NULL,
  `licenses` text DEFAULT NULL,
  `mcs_label` text DEFAULT NULL,
  `mem_req` text DEFAULT NULL,
  `nodelist` text DEFAULT NULL,
  `nodes_alloc` text DEFAULT NULL,
  `node_inx` text DEFAULT NULL,
  `partition` text DEFAULT NULL,
  `priority` text DEFAULT NULL,
  `qos_req` text DEFAULT NULL,
  `restart_cnt` text DEFAULT NULL,
  `resv_req` text DEFAULT NULL,
  `script_hash_inx` text DEFAULT NULL,
  `state` text DEFAULT NULL,
  `timelimit` text DEFAULT NULL,
  `time_submit` text DEFAULT NULL,
  `time_eligible` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `time_end` text DEFAULT NULL,
  `time_suspended` text DEFAULT NULL,
  `gres_used` text DEFAULT NULL,
  `wckey` text DEFAULT NULL,
  `work_dir` text DEFAULT NULL,
  `segment_size` text DEFAULT NULL,
  `std_err` text DEFAULT NULL,
  `std_in` text DEFAULT NULL,
  `std_out` text DEFAULT NULL,
  `submit_line` text DEFAULT NULL,
  `system_comment` text DEFAULT NULL,
  `tres_alloc` text DEFAULT NULL,
  `tres_req` text DEFAULT NULL,
  KEY `k` (`job_db_inx`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_job_table` WRITE;
/*!40000 ALTER TABLE `lab_job_table` DISABLE KEYS */;
INSERT INTO `lab_job_table` VALUES
(13449544672878034944,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9001,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,1,3,60,1741604310,1741604310,1741604315,1741604375,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672879083520,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9002,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,1,1024,60,1741604310,1741604310,1741604315,1741604375,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672880132096,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9002,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,1,NULL,1,3,60,1741604380,1741604500,1741604510,1741604570,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672881180672,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,'worker-1','rock',5,0,4294967294,NULL,9003,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,1,7,60,1741604310,1741604310,1741604315,1741604375,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672882229248,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9003,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,NULL,0,'0','main',50,NULL,0,NULL,1,0,60,1741604380,1741604310,0,0,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672883277824,1741604310,1,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9004,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,1,3,60,1741604310,1741604310,1741604315,1741604375,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672884326400,1741604310,0,'old',NULL,NULL,0,0,'','/images/x',2,0,NULL,0,0,NULL,24,NULL,'was gone',7,0,4294967294,NULL,9005,7,0,0,3009,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,0,3,60,1741604310,1741604310,1741604315,1741604375,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh','x','1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672885374976,1741604310,0,'rock',NULL,'1-5%2',0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,9006,4294967294,NULL,9006,7,0,0,3001,3001,0,4294967294,3001,0,NULL,'',9223372036854776308,'None assigned',0,'0','main',50,NULL,0,NULL,1,4,60,1741604310,1741604310,0,1741604319,0,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'','1=2,2=1000,4=1,5=2,1001=2,1002=2'),
(13449544672886423552,1741604310,0,'rock',NULL,NULL,0,0,'',NULL,2,0,NULL,1,0,NULL,24,NULL,'rock',5,0,4294967294,NULL,9007,7,0,0,3001,3001,0,4294967294,NULL,0,NULL,'',9223372036854776308,'worker-1',1,'0','main',50,NULL,0,NULL,1,3,60,1741604310,1741604310,1741604315,1741604415,20,'','','/home/erin',0,'','/dev/null','/home/erin/%j.out','sbatch rock.sh',NULL,'1=2,2=1000,3=18446744073709551614,4=1,5=2,1001=2,1002=2','1=2,2=1000,4=1,5=2,1001=2,1002=2');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_resv_table`;
CREATE TABLE `lab_resv_table` (
  `id_resv` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `assoclist` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `nodelist` text DEFAULT NULL,
  `node_inx` text DEFAULT NULL,
  `resv_name` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `time_end` text DEFAULT NULL,
  `tres` text DEFAULT NULL,
  `unused_wall` text DEFAULT NULL,
  KEY `k` (`id_resv`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_resv_table` WRITE;
/*!40000 ALTER TABLE `lab_resv_table` DISABLE KEYS */;
INSERT INTO `lab_resv_table` VALUES
(1,0,NULL,NULL,NULL,NULL,'maintenance',NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_step_table`;
CREATE TABLE `lab_step_table` (
  `job_db_inx` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `exit_code` text DEFAULT NULL,
  `id_step` text DEFAULT NULL,
  `step_het_comp` text DEFAULT NULL,
  `kill_requid` text DEFAULT NULL,
  `nodelist` text DEFAULT NULL,
  `nodes_alloc` text DEFAULT NULL,
  `node_inx` text DEFAULT NULL,
  `state` text DEFAULT NULL,
  `step_name` text DEFAULT NULL,
  `task_cnt` text DEFAULT NULL,
  `task_dist` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `time_end` text DEFAULT NULL,
  `time_suspended` text DEFAULT NULL,
  `timelimit` text DEFAULT NULL,
  `user_sec` text DEFAULT NULL,
  `user_usec` text DEFAULT NULL,
  `sys_sec` text DEFAULT NULL,
  `sys_usec` text DEFAULT NULL,
  `act_cpufreq` text DEFAULT NULL,
  `consumed_energy` text DEFAULT NULL,
  `container` text DEFAULT NULL,
  `req_cpufreq_min` text DEFAULT NULL,
  `req_cpufreq` text DEFAULT NULL,
  `req_cpufreq_gov` text DEFAULT NULL,
  `submit_line` text DEFAULT NULL,
  `tres_alloc` text DEFAULT NULL,
  `tres_usage_in_ave` text DEFAULT NULL,
  `tres_usage_in_max` text DEFAULT NULL,
  `tres_usage_in_max_taskid` text DEFAULT NULL,
  `tres_usage_in_max_nodeid` text DEFAULT NULL,
  `tres_usage_in_min` text DEFAULT NULL,
  `tres_usage_in_min_taskid` text DEFAULT NULL,
  `tres_usage_in_min_nodeid` text DEFAULT NULL,
  `tres_usage_in_tot` text DEFAULT NULL,
  `tres_usage_out_ave` text DEFAULT NULL,
  `tres_usage_out_max` text DEFAULT NULL,
  `tres_usage_out_max_taskid` text DEFAULT NULL,
  `tres_usage_out_max_nodeid` text DEFAULT NULL,
  `tres_usage_out_min` text DEFAULT NULL,
  `tres_usage_out_min_taskid` text DEFAULT NULL,
  `tres_usage_out_min_nodeid` text DEFAULT NULL,
  `tres_usage_out_tot` text DEFAULT NULL,
  KEY `k` (`job_db_inx`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_step_table` WRITE;
/*!40000 ALTER TABLE `lab_step_table` DISABLE KEYS */;
INSERT INTO `lab_step_table` VALUES
(13449544672878034944,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,2,1741604315,1741604375,0,4294967295,59,5,0,7,0,0,NULL,0,0,0,NULL,'1=2,2=1000,4=1,1001=2,1002=2',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
(13449544672878034944,0,0,0,4294967294,NULL,'worker-1',1,'0',3,'srun',1,2,1741604315,1741604375,0,4294967295,59,5,0,7,0,0,NULL,0,0,0,NULL,'1=2,2=1000,4=1,1001=2,1002=2',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
(13449544672879083520,0,15,-5,4294967294,NULL,'worker-1',1,'0',4,'batch',1,2,1741604315,1741604375,0,4294967295,59,5,0,7,0,0,NULL,0,0,0,NULL,'1=2,2=1000,4=1,1001=2,1002=2',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),
(13449544672880132096,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,2,1741604315,1741604375,0,4294967295,59,5,0,7,0,0,NULL,0,0,0,NULL,'1=2,2=1000,4=1,1001=2,1002=2',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_suspend_table`;
CREATE TABLE `lab_suspend_table` (
  `job_db_inx` text DEFAULT NULL,
  `id_assoc` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `time_end` text DEFAULT NULL,
  KEY `k` (`job_db_inx`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_suspend_table` WRITE;
/*!40000 ALTER TABLE `lab_suspend_table` DISABLE KEYS */;
INSERT INTO `lab_suspend_table` VALUES
(13449544672886423552,5,1741604340,1741604360);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_usage_month_table`;
CREATE TABLE `lab_assoc_usage_month_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `id_alt` text DEFAULT NULL,
  `id_tres` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `alloc_secs` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_assoc_usage_month_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_usage_month_table` DISABLE KEYS */;
INSERT INTO `lab_assoc_usage_month_table` VALUES
(1741604310,1741604310,0,4,0,1,1704067200,100),
(1741604310,1741604310,0,5,0,1,1704067200,60),
(1741604310,1741604310,0,5,0,1,1706745600,40),
(1741604310,1741604310,0,5,0,2,1704067200,6000),
(1741604310,1741604310,0,6,0,1,1704067200,40),
(1741604310,1741604310,1,7,0,1,1706745600,60);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_usage_hour_table`;
CREATE TABLE `lab_usage_hour_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id_tres` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `count` text DEFAULT NULL,
  `alloc_secs` text DEFAULT NULL,
  `down_secs` text DEFAULT NULL,
  `pdown_secs` text DEFAULT NULL,
  `idle_secs` text DEFAULT NULL,
  `plan_secs` text DEFAULT NULL,
  `over_secs` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `lab_usage_hour_table` DISABLE KEYS */;
INSERT INTO `lab_usage_hour_table` VALUES
(1741604310,1741604310,0,1,1704067200,8,100,0,0,0,0,0);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_usage_month_table`;
CREATE TABLE `lab_wckey_usage_month_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `id_alt` text DEFAULT NULL,
  `id_tres` text DEFAULT NULL,
  `time_start` text DEFAULT NULL,
  `alloc_secs` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `lab_wckey_usage_month_table` WRITE;
/*!40000 ALTER TABLE `lab_wckey_usage_month_table` DISABLE KEYS */;
INSERT INTO `lab_wckey_usage_month_table` VALUES
(1741604310,1741604310,0,1,0,1,1704067200,100);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_table`;
CREATE TABLE `lab_wckey_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `is_def` text DEFAULT NULL,
  `id_wckey` text DEFAULT NULL,
  `wckey_name` text DEFAULT NULL,
  `user` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
DROP TABLE IF EXISTS `qos_table`;
CREATE TABLE `qos_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `description` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `grace_time` text DEFAULT NULL,
  `max_jobs_pa` text DEFAULT NULL,
  `max_jobs_per_user` text DEFAULT NULL,
  `max_jobs_accrue_pa` text DEFAULT NULL,
  `max_jobs_accrue_pu` text DEFAULT NULL,
  `min_prio_thresh` text DEFAULT NULL,
  `max_submit_jobs_pa` text DEFAULT NULL,
  `max_submit_jobs_per_user` text DEFAULT NULL,
  `max_tres_pa` text DEFAULT NULL,
  `max_tres_pj` text DEFAULT NULL,
  `max_tres_pn` text DEFAULT NULL,
  `max_tres_pu` text DEFAULT NULL,
  `max_tres_mins_pj` text DEFAULT NULL,
  `max_tres_run_mins_pa` text DEFAULT NULL,
  `max_tres_run_mins_pu` text DEFAULT NULL,
  `min_tres_pj` text DEFAULT NULL,
  `max_wall_duration_per_job` text DEFAULT NULL,
  `grp_jobs` text DEFAULT NULL,
  `grp_jobs_accrue` text DEFAULT NULL,
  `grp_submit_jobs` text DEFAULT NULL,
  `grp_tres` text DEFAULT NULL,
  `grp_tres_mins` text DEFAULT NULL,
  `grp_tres_run_mins` text DEFAULT NULL,
  `grp_wall` text DEFAULT NULL,
  `preempt` text DEFAULT NULL,
  `preempt_mode` text DEFAULT NULL,
  `preempt_exempt_time` text DEFAULT NULL,
  `priority` text DEFAULT NULL,
  `usage_factor` text DEFAULT NULL,
  `usage_thres` text DEFAULT NULL,
  `limit_factor` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `qos_table` WRITE;
/*!40000 ALTER TABLE `qos_table` DISABLE KEYS */;
INSERT INTO `qos_table` VALUES
(1741604310,1741604310,0,1,'normal','Normal QOS default',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,0,1,NULL,NULL),
(1741604310,1741604310,0,7,'urgent','soon',3136,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1002=2',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,600,',1,',16386,NULL,50,1.25,NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `res_table`;
CREATE TABLE `res_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `description` text DEFAULT NULL,
  `manager` text DEFAULT NULL,
  `server` text DEFAULT NULL,
  `count` text DEFAULT NULL,
  `type` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `res_table` WRITE;
/*!40000 ALTER TABLE `res_table` DISABLE KEYS */;
INSERT INTO `res_table` VALUES
(1741604310,1741604310,0,1,'ansys',NULL,NULL,'flex',NULL,NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `tres_table`;
CREATE TABLE `tres_table` (
  `creation_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `type` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `tres_table` WRITE;
/*!40000 ALTER TABLE `tres_table` DISABLE KEYS */;
INSERT INTO `tres_table` VALUES
(1741604310,0,1,'cpu',''),
(1741604310,0,2,'mem',''),
(1741604310,0,3,'energy',''),
(1741604310,0,4,'node',''),
(1741604310,0,5,'billing',''),
(1741604310,0,6,'fs','disk'),
(1741604310,0,7,'vmem',''),
(1741604310,0,8,'pages',''),
(1741604310,0,1001,'gres','gpu'),
(1741604310,0,1002,'gres','gpu:h100'),
(1741604310,0,1003,'license','matlab');
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `user_table`;
CREATE TABLE `user_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `admin_level` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `user_table` WRITE;
/*!40000 ALTER TABLE `user_table` DISABLE KEYS */;
INSERT INTO `user_table` VALUES
(1741604310,1741604310,0,'root',3),
(1741604310,1741604310,0,'erin',1),
(1741604310,1741604310,0,'Frank',1),
(1741604310,1741604310,1,'gone',1);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
--
-- Current Database: `test_acct_db`
--

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `test_acct_db` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;

USE `test_acct_db`;

DROP TABLE IF EXISTS `cluster_table`;
CREATE TABLE `cluster_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `id` text DEFAULT NULL,
  `control_host` text DEFAULT NULL,
  `control_port` text DEFAULT NULL,
  `last_port` text DEFAULT NULL,
  `rpc_version` text DEFAULT NULL,
  `classification` text DEFAULT NULL,
  `dimensions` text DEFAULT NULL,
  `flags` text DEFAULT NULL,
  `federation` text DEFAULT NULL,
  `features` text DEFAULT NULL,
  `fed_id` text DEFAULT NULL,
  `fed_state` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `cluster_table` WRITE;
/*!40000 ALTER TABLE `cluster_table` DISABLE KEYS */;
INSERT INTO `cluster_table` VALUES
(1741604310,1741604310,0,'lab',2986,'127.0.0.1',6817,NULL,11008,NULL,NULL,NULL,'','',NULL,NULL),
(1741604310,1741604310,1,'gone',2987,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'','',NULL,NULL);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `user_table`;
CREATE TABLE `user_table` (
  `creation_time` text DEFAULT NULL,
  `mod_time` text DEFAULT NULL,
  `deleted` text DEFAULT NULL,
  `name` text DEFAULT NULL,
  `admin_level` text DEFAULT NULL,
  KEY `k` (`creation_time`(42)))
 ENGINE=InnoDB DEFAULT CHARSET=latin1;
LOCK TABLES `user_table` WRITE;
/*!40000 ALTER TABLE `user_table` DISABLE KEYS */;
INSERT INTO `user_table` VALUES
(1741604310,1741604310,0,'root',3),
(1741604310,1741604310,0,'erin',1),
(1741604310,1741604310,0,'Frank',1),
(1741604310,1741604310,1,'gone',1);
/*!40000 ALTER TABLE `{t}` ENABLE KEYS */;
UNLOCK TABLES;
DELIMITER ;;
CREATE TRIGGER `t` AFTER INSERT ON `user_table` FOR EACH ROW BEGIN INSERT INTO `cluster_table` VALUES (1); END ;;
DELIMITER ;

-- Dump completed on 2025-08-10 10:00:00
