/*M!999999\- enable the sandbox mode */ 

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

CREATE DATABASE /*!32312 IF NOT EXISTS*/ `slurm_acct_db` /*!40100 DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci */;

USE `slurm_acct_db`;
DROP TABLE IF EXISTS `acct_coord_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `acct_coord_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `acct` tinytext NOT NULL,
  `user` tinytext NOT NULL,
  PRIMARY KEY (`acct`(42),`user`(42)),
  KEY `user` (`user`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `acct_coord_table` WRITE;
/*!40000 ALTER TABLE `acct_coord_table` DISABLE KEYS */;
INSERT INTO `acct_coord_table` VALUES
(1741604331,1741604331,0,'astro','carol'),
(1741604331,1741604331,0,'chem','carol'),
(1741604330,1741604330,0,'physics','bob');
/*!40000 ALTER TABLE `acct_coord_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `acct_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `acct_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `name` tinytext NOT NULL,
  `description` text NOT NULL,
  `organization` text NOT NULL,
  PRIMARY KEY (`name`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `acct_table` WRITE;
/*!40000 ALTER TABLE `acct_table` DISABLE KEYS */;
INSERT INTO `acct_table` VALUES
(1741604321,1741604321,0,'astro','stars','science'),
(1741604322,1741604322,0,'chem','chemistry','science'),
(1741604309,1741604309,0,'lab','lab','lab'),
(1741604320,1741604320,0,'optics','optics; light `group`','science'),
(1741604319,1741604319,0,'physics','physics dept','science'),
(1741604305,1741604305,0,'root','default root account','root');
/*!40000 ALTER TABLE `acct_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `clus_res_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `clus_res_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `cluster` tinytext NOT NULL,
  `res_id` int(11) NOT NULL,
  `percent_allowed` int(10) unsigned DEFAULT 0,
  PRIMARY KEY (`res_id`,`cluster`(42)),
  UNIQUE KEY `udex` (`res_id`,`cluster`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `clus_res_table` WRITE;
/*!40000 ALTER TABLE `clus_res_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `clus_res_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `cluster_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `cluster_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `name` tinytext NOT NULL,
  `control_host` tinytext NOT NULL DEFAULT '',
  `control_port` int(10) unsigned NOT NULL DEFAULT 0,
  `last_port` int(10) unsigned NOT NULL DEFAULT 0,
  `rpc_version` smallint(5) unsigned NOT NULL DEFAULT 0,
  `classification` smallint(5) unsigned DEFAULT 0,
  `dimensions` smallint(5) unsigned DEFAULT 1,
  `plugin_id_select` smallint(5) unsigned DEFAULT 0,
  `flags` int(10) unsigned DEFAULT 0,
  `federation` tinytext NOT NULL,
  `features` text NOT NULL DEFAULT '',
  `fed_id` int(10) unsigned NOT NULL DEFAULT 0,
  `fed_state` smallint(5) unsigned NOT NULL,
  PRIMARY KEY (`name`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `cluster_table` WRITE;
/*!40000 ALTER TABLE `cluster_table` DISABLE KEYS */;
INSERT INTO `cluster_table` VALUES
(1741604307,1741605206,0,'lab','127.0.0.1',0,27400,9728,0,1,109,128,'','',0,0),
(1741604315,1741604315,0,'other','',0,0,0,0,1,0,0,'','',0,0);
/*!40000 ALTER TABLE `cluster_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `convert_version_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `convert_version_table` (
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `version` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`version`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `convert_version_table` WRITE;
/*!40000 ALTER TABLE `convert_version_table` DISABLE KEYS */;
INSERT INTO `convert_version_table` VALUES
(0,12);
/*!40000 ALTER TABLE `convert_version_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `federation_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `federation_table` (
  `creation_time` int(10) unsigned NOT NULL,
  `mod_time` int(10) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `name` tinytext NOT NULL,
  `flags` int(10) unsigned DEFAULT 0,
  PRIMARY KEY (`name`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `federation_table` WRITE;
/*!40000 ALTER TABLE `federation_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `federation_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_assoc_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `is_def` tinyint(4) NOT NULL DEFAULT 0,
  `id_assoc` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `user` tinytext NOT NULL DEFAULT '',
  `acct` tinytext NOT NULL,
  `partition` tinytext NOT NULL DEFAULT '',
  `parent_acct` tinytext NOT NULL DEFAULT '',
  `lft` int(11) NOT NULL,
  `rgt` int(11) NOT NULL,
  `shares` int(11) NOT NULL DEFAULT 1,
  `max_jobs` int(11) DEFAULT NULL,
  `max_jobs_accrue` int(11) DEFAULT NULL,
  `min_prio_thresh` int(11) DEFAULT NULL,
  `max_submit_jobs` int(11) DEFAULT NULL,
  `max_tres_pj` text NOT NULL DEFAULT '',
  `max_tres_pn` text NOT NULL DEFAULT '',
  `max_tres_mins_pj` text NOT NULL DEFAULT '',
  `max_tres_run_mins` text NOT NULL DEFAULT '',
  `max_wall_pj` int(11) DEFAULT NULL,
  `grp_jobs` int(11) DEFAULT NULL,
  `grp_jobs_accrue` int(11) DEFAULT NULL,
  `grp_submit_jobs` int(11) DEFAULT NULL,
  `grp_tres` text NOT NULL DEFAULT '',
  `grp_tres_mins` text NOT NULL DEFAULT '',
  `grp_tres_run_mins` text NOT NULL DEFAULT '',
  `grp_wall` int(11) DEFAULT NULL,
  `priority` int(10) unsigned DEFAULT NULL,
  `def_qos_id` int(11) DEFAULT NULL,
  `qos` blob NOT NULL DEFAULT '',
  `delta_qos` blob NOT NULL DEFAULT '',
  PRIMARY KEY (`id_assoc`),
  UNIQUE KEY `udex` (`user`(42),`acct`(42),`partition`(42)),
  KEY `lft` (`lft`),
  KEY `account` (`acct`(42))
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_assoc_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_table` DISABLE KEYS */;
INSERT INTO `lab_assoc_table` VALUES
(1741604307,1741604914,0,0,1,'','root','','',1,28,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,0x2C312C,''),
(1741604309,1741604914,0,1,2,'root','root','','',26,27,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604309,1741604914,0,0,3,'','lab','','root',24,25,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604319,1741604914,0,0,4,'','physics','','root',6,23,30,NULL,NULL,NULL,NULL,'','','','',NULL,40,NULL,NULL,'1=8,1002=3','','',NULL,NULL,NULL,'',''),
(1741604320,1741604914,0,0,5,'','optics','','physics',17,22,10,NULL,NULL,NULL,NULL,'1=8','','','',1440,NULL,NULL,NULL,'','','',NULL,NULL,1,0x2C312C332C342C,''),
(1741604321,1741604914,0,0,6,'','astro','','physics',9,16,20,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',0x2C2B332C),
(1741604322,1741604914,0,0,7,'','chem','','root',2,5,2147483647,6,NULL,NULL,100,'','1=3','1=4000','',NULL,NULL,NULL,200,'','1=500000','1=90000',90000,7,NULL,'',''),
(1741604323,1741604914,0,1,9,'alice','optics','','',20,21,5,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604324,1741604914,0,0,10,'alice','astro','','',14,15,2,9,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604325,1741604914,0,0,11,'alice','optics','debug','',18,19,1,1,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604325,1741604914,0,1,12,'bob','chem','','',3,4,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,4,0x2C312C342C,''),
(1741604326,1741604914,0,0,13,'bob','astro','','',12,13,3,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604327,1741604914,0,1,14,'carol','astro','','',10,11,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604329,1741604914,0,1,16,'dave','physics','','',7,8,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'','');
/*!40000 ALTER TABLE `lab_assoc_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_assoc_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_assoc_usage_day_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_usage_day_table` DISABLE KEYS */;
INSERT INTO `lab_assoc_usage_day_table` VALUES
(1741651501,1741651501,0,9,1,1741564800,48),
(1741651501,1741651501,0,9,4,1741564800,34),
(1741651501,1741651501,0,9,5,1741564800,48),
(1741651501,1741651501,0,10,1,1741564800,12),
(1741651501,1741651501,0,10,4,1741564800,9),
(1741651501,1741651501,0,10,5,1741564800,12),
(1741651501,1741651501,0,12,1,1741564800,15),
(1741651501,1741651501,0,12,4,1741564800,11),
(1741651501,1741651501,0,12,5,1741564800,15),
(1741651501,1741651501,0,13,1,1741564800,272),
(1741651501,1741651501,0,13,4,1741564800,275),
(1741651501,1741651501,0,13,5,1741564800,275),
(1741651501,1741651501,0,13,1001,1741564800,3),
(1741651501,1741651501,0,14,1,1741564800,85),
(1741651501,1741651501,0,14,4,1741564800,82),
(1741651501,1741651501,0,14,5,1741564800,85),
(1741651501,1741651501,0,14,1002,1741564800,6);
/*!40000 ALTER TABLE `lab_assoc_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_assoc_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_assoc_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_usage_hour_table` DISABLE KEYS */;
INSERT INTO `lab_assoc_usage_hour_table` VALUES
(1741651501,1741651501,0,9,1,1741600800,48),
(1741651501,1741651501,0,9,4,1741600800,34),
(1741651501,1741651501,0,9,5,1741600800,48),
(1741651501,1741651501,0,10,1,1741600800,12),
(1741651501,1741651501,0,10,4,1741600800,9),
(1741651501,1741651501,0,10,5,1741600800,12),
(1741651501,1741651501,0,12,1,1741600800,10),
(1741651501,1741651501,0,12,1,1741604400,5),
(1741651501,1741651501,0,12,4,1741600800,6),
(1741651501,1741651501,0,12,4,1741604400,5),
(1741651501,1741651501,0,12,5,1741600800,10),
(1741651501,1741651501,0,12,5,1741604400,5),
(1741651501,1741651501,0,13,1,1741600800,5),
(1741651501,1741651501,0,13,1,1741604400,267),
(1741651501,1741651501,0,13,4,1741600800,8),
(1741651501,1741651501,0,13,4,1741604400,267),
(1741651501,1741651501,0,13,5,1741600800,8),
(1741651501,1741651501,0,13,5,1741604400,267),
(1741651501,1741651501,0,13,1001,1741600800,3),
(1741651501,1741651501,0,14,1,1741600800,25),
(1741651501,1741651501,0,14,1,1741604400,60),
(1741651501,1741651501,0,14,4,1741600800,22),
(1741651501,1741651501,0,14,4,1741604400,60),
(1741651501,1741651501,0,14,5,1741600800,25),
(1741651501,1741651501,0,14,5,1741604400,60),
(1741651501,1741651501,0,14,1002,1741600800,6);
/*!40000 ALTER TABLE `lab_assoc_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_assoc_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_assoc_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_assoc_usage_month_table` WRITE;
/*!40000 ALTER TABLE `lab_assoc_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `lab_assoc_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_event_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_event_table` (
  `time_start` bigint(20) unsigned NOT NULL,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `node_name` tinytext NOT NULL DEFAULT '',
  `cluster_nodes` text NOT NULL DEFAULT '',
  `reason` tinytext NOT NULL,
  `reason_uid` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `state` int(10) unsigned NOT NULL DEFAULT 0,
  `tres` text NOT NULL DEFAULT '',
  PRIMARY KEY (`node_name`(42),`time_start`),
  KEY `rollup` (`node_name`(42),`time_start`,`time_end`,`state`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_event_table` WRITE;
/*!40000 ALTER TABLE `lab_event_table` DISABLE KEYS */;
INSERT INTO `lab_event_table` VALUES
(1741604310,0,'','worker-[1-2]','Cluster Registered TRES',4294967294,0,'1=8,2=8000,3=0,4=2,5=8,6=0,7=0,8=0,1001=4,1002=4'),
(1741604382,1741604385,'worker-2','','loose \"cable',0,2097666,'1=4,2=4000,5=4,1001=2');
/*!40000 ALTER TABLE `lab_event_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_env_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_job_env_table` (
  `hash_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `last_used` timestamp NOT NULL DEFAULT current_timestamp(),
  `env_hash` text NOT NULL,
  `env_vars` longtext DEFAULT NULL,
  PRIMARY KEY (`hash_inx`),
  UNIQUE KEY `env_hash_inx` (`env_hash`(66))
) ENGINE=InnoDB AUTO_INCREMENT=25 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_job_env_table` WRITE;
/*!40000 ALTER TABLE `lab_job_env_table` DISABLE KEYS */;
INSERT INTO `lab_job_env_table` VALUES
(1,'2026-11-27 07:29:38','2:9a886f9dec13c1b854d11da465ba16655f0cc113b083e733517e5bad8f5ec6b2','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(2,'2026-11-27 07:29:38','2:2099071c525b1504bd542abb087dffd6f846fba9e198725b327f71e2eae043cd','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(3,'2026-11-27 07:29:38','2:d9b60ab506acba8c243d03bbab93f143e25fa51debe4c7bf67ddd6b3eb08f2a4','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(4,'2026-11-27 07:29:38','2:ecfe58ed97a53441530ec86db4550b590d77fc73e5564c9d8de64c687c4cbedf','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(5,'2026-11-27 07:29:49','2:4c1505c7723def312f60e0050a316f9995c32567cde66127d56f8211f0241fc8','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(6,'2026-11-27 07:29:49','2:611d096cb57697ec3776ad0a1134decf6dc66b9dcf087e507c0560d13aa7c3ec','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(7,'2026-11-27 07:29:49','2:f09d2051e4cf96bafaef912d443ecfe7c62e564a3827fd602494e2dd91027c64','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(8,'2026-11-27 07:29:49','2:a97de2b570404f96ab24dde7550d2de5c7fc2e6bfd51659203a426cee6797f0c','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(9,'2026-11-27 07:29:49','2:dbc52523ce08c00a5922699568023468f03f4160626f95b870a65f679b51b623','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(10,'2026-11-27 07:29:54','2:eb7d41824d56a9047c68e1d9e5da4f9bb2577bf965e107422fcba4b4a53e3444','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(11,'2026-11-27 07:29:54','2:e32b1cefae2e268aa94cf645b59929d78d3dc328207bf5fc508d9b0f9b344c33','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(12,'2026-11-27 07:29:54','2:d09ddc346008f044d8b6f5fad719f14a4d62e425798fbd41ef8554f86b98e378','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(13,'2026-11-27 07:30:29','2:dbd903c4fcd0b47a516bb871e8c9e38c2c559d5b6f8b9631f0abe0edad4b9b15','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(14,'2026-11-27 07:30:29','2:1810ee02feaaeb8df493367f939d7d8f0855ac7c1b57d3a41428f1c77b6cb30f','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(15,'2026-11-27 07:30:34','2:887ed059f29878ba46633921561e9b6c8914df493e838a49b42eb5844ea68c6f','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(16,'2026-11-27 07:30:39','2:c0a328355e8f95f5d52ee2ba7141cce93b6263dfffb45b66b48421f4b51c29a7','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(17,'2026-11-27 07:30:39','2:7fb91f5b332e2039746cbc8e4533ac1ebc2b1d7ae2fb1ca8c45a407da552cea0','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(18,'2026-11-27 07:30:39','2:e9f070b0effd147005092730ccce519c500f55178102611b73010584ab05747c','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(19,'2026-11-27 07:30:39','2:88d2716cf2047b2ffac541c6e1297fb7bc19379ac217352d79443a1a778c1b25','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(20,'2026-11-27 07:30:39','2:ffd7639005108e9d501fb7ee0ac6f75e10f1efd2de752bdd85cb8e94ae5de684','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(21,'2026-11-27 07:30:39','2:78cfcee3977900b5c4272028f2eb8b85de3437cfdc98f33205ba2df5f38ef1f2','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(22,'2026-11-27 07:32:04','2:f32365f6d07157c31ffafc5d3fc050841206cc1ea1059e974278a34bc0c84685','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(23,'2026-11-27 07:32:04','2:521f2b39f8ab7c52d7db2e3dd1160f36e110dafd3b82180f3b6788a69c6dc474','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n'),
(24,'2026-11-27 07:34:35','2:a2e8883f1c1b1fd4b074a6b763e83e5c3b372f6b7d743df2cf622396668bcc76','SHELL=/bin/sh\nHOME=/data\nUSER=alice\nFOO=bar\nLINES=one\ntwo\n');
/*!40000 ALTER TABLE `lab_job_env_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_script_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_job_script_table` (
  `hash_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `last_used` timestamp NOT NULL DEFAULT current_timestamp(),
  `script_hash` text NOT NULL,
  `batch_script` longtext DEFAULT NULL,
  PRIMARY KEY (`hash_inx`),
  UNIQUE KEY `script_hash_inx` (`script_hash`(66))
) ENGINE=InnoDB AUTO_INCREMENT=14 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_job_script_table` WRITE;
/*!40000 ALTER TABLE `lab_job_script_table` DISABLE KEYS */;
INSERT INTO `lab_job_script_table` VALUES
(1,'2026-11-27 07:29:38','2:9e3389dd6ca57cba1e4fd76433544107432861c79ad7f00b1e97fe6cccc4dc55','#!/bin/sh\n#SBATCH --comment=\nsrun --overlap -n2 -N2 sleep 2\nsrun --overlap -n1 -J \"second step\" sh -c \'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done\'\nsrun --overlap -n1 false\nexit 0\n'),
(2,'2026-11-27 07:29:38','2:ff23088bdbc406496cc579b1353688fb61fa2a884ff802dd133e40f280c84891','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 2; test $SLURM_ARRAY_TASK_ID != 3\n'),
(3,'2026-11-27 07:29:38','2:ee0a6ad37d0f9a2642905369a59fce42b32a10e4a4a5555858c2c260538dd30d','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 3; exit 3\n'),
(4,'2026-11-27 07:29:38','2:a87aab218203f38b9cb79ee9fc318925e890137e9cf354c45f50d976cfadd7ef','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 3\n'),
(5,'2026-11-27 07:29:49','2:0a7d2723ca3d773f73160acac666b9335e531811f58ecd0f8bc580c81a0925cf','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 4\n'),
(6,'2026-11-27 07:29:49','2:ddb8ba48cb401f843a376aabbc776262a822ffa639678a371b0ad65d3786c0ed','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 600\n'),
(7,'2026-11-27 07:29:49','2:41be042bd1ed7600ccfa9d2bc8d799577c1fc6ee45b10b4b2f487e186de8b1aa','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 1\n'),
(8,'2026-11-27 07:29:49','2:660579db5da3e78f1d8fe8ff4641c8d59b136747e1f9f63bf28d889036044cf0','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 5\n'),
(9,'2026-11-27 07:29:54','2:0184417a06c062f1cfe1b3eb739d8f22c860c2a7a9d151d7c7d9ddf3facd9a98','#!/bin/sh\nsrun --het-group=0,1 sleep 2\n'),
(10,'2026-11-27 07:29:54','2:1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5','#!/bin/sh\nexit 0\n'),
(11,'2026-11-27 07:30:29','2:3a9c6b76aff467f429436b65e651d0076058895500189de22d1807179d8f3c68','#!/bin/sh\n# This script was created by sbatch --wrap.\n\ntrue\n'),
(12,'2026-11-27 07:30:34','2:54629325227fbc5ffa3762b41d0087a17e3b9238122e624146ada1d1430d44a3','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 2\n'),
(13,'2026-11-27 07:32:04','2:06b4fab0754a2eabfacd3e4cf9cbc02b7c8cf337431032057c735584c482ccb6','#!/bin/sh\n# This script was created by sbatch --wrap.\n\nsleep 3000\n');
/*!40000 ALTER TABLE `lab_job_script_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_job_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_job_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `account` tinytext DEFAULT NULL,
  `admin_comment` text DEFAULT NULL,
  `array_task_str` text DEFAULT NULL,
  `array_max_tasks` int(10) unsigned NOT NULL DEFAULT 0,
  `array_task_pending` int(10) unsigned NOT NULL DEFAULT 0,
  `constraints` text DEFAULT '',
  `container` text DEFAULT NULL,
  `cpus_req` int(10) unsigned NOT NULL,
  `derived_ec` int(10) unsigned NOT NULL DEFAULT 0,
  `derived_es` text DEFAULT NULL,
  `env_hash_inx` bigint(20) unsigned NOT NULL DEFAULT 0,
  `exit_code` int(10) unsigned NOT NULL DEFAULT 0,
  `flags` int(10) unsigned NOT NULL DEFAULT 0,
  `job_name` tinytext NOT NULL,
  `id_assoc` int(10) unsigned NOT NULL,
  `id_array_job` int(10) unsigned NOT NULL DEFAULT 0,
  `id_array_task` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `id_block` tinytext DEFAULT NULL,
  `id_job` int(10) unsigned NOT NULL,
  `id_qos` int(10) unsigned NOT NULL DEFAULT 0,
  `id_resv` int(10) unsigned NOT NULL,
  `id_wckey` int(10) unsigned NOT NULL,
  `id_user` int(10) unsigned NOT NULL,
  `id_group` int(10) unsigned NOT NULL,
  `het_job_id` int(10) unsigned NOT NULL,
  `het_job_offset` int(10) unsigned NOT NULL,
  `kill_requid` int(10) unsigned DEFAULT NULL,
  `state_reason_prev` int(10) unsigned NOT NULL,
  `mcs_label` tinytext DEFAULT '',
  `mem_req` bigint(20) unsigned NOT NULL DEFAULT 0,
  `nodelist` text DEFAULT NULL,
  `nodes_alloc` int(10) unsigned NOT NULL,
  `node_inx` text DEFAULT NULL,
  `partition` tinytext NOT NULL,
  `priority` int(10) unsigned NOT NULL,
  `script_hash_inx` bigint(20) unsigned NOT NULL DEFAULT 0,
  `state` int(10) unsigned NOT NULL,
  `timelimit` int(10) unsigned NOT NULL DEFAULT 0,
  `time_submit` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_eligible` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_suspended` bigint(20) unsigned NOT NULL DEFAULT 0,
  `gres_used` text NOT NULL DEFAULT '',
  `wckey` tinytext NOT NULL DEFAULT '',
  `work_dir` text NOT NULL DEFAULT '',
  `submit_line` text DEFAULT NULL,
  `system_comment` text DEFAULT NULL,
  `tres_alloc` text NOT NULL DEFAULT '',
  `tres_req` text NOT NULL DEFAULT '',
  PRIMARY KEY (`job_db_inx`),
  UNIQUE KEY `id_job` (`id_job`,`time_submit`),
  KEY `old_tuple` (`id_job`,`id_assoc`,`time_submit`),
  KEY `rollup` (`time_eligible`,`time_end`),
  KEY `rollup2` (`time_end`,`time_eligible`),
  KEY `nodes_alloc` (`nodes_alloc`),
  KEY `wckey` (`id_wckey`),
  KEY `qos` (`id_qos`),
  KEY `association` (`id_assoc`),
  KEY `array_job` (`id_array_job`),
  KEY `het_job` (`het_job_id`),
  KEY `reserv` (`id_resv`),
  KEY `sacct_def` (`id_user`,`time_start`,`time_end`),
  KEY `sacct_def2` (`id_user`,`time_end`,`time_eligible`),
  KEY `env_hash_inx` (`env_hash_inx`),
  KEY `script_hash_inx` (`script_hash_inx`),
  KEY `archive_purge` (`time_submit`,`time_end`)
) ENGINE=InnoDB AUTO_INCREMENT=55 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_job_table` WRITE;
/*!40000 ALTER TABLE `lab_job_table` DISABLE KEYS */;
INSERT INTO `lab_job_table` VALUES
(1,1741604391,0,'optics',NULL,NULL,0,0,'',NULL,4,0,'new\nline',1,0,20,'two-steps',9,0,4294967294,NULL,1,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-[1-2]',2,'0-1','main',1,1,3,1440,1741604334,1741604334,1741604334,1741604339,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -N2 -n4 -J two-steps two-steps.sh',NULL,'1=4,4=2,5=4','1=4,2=8000,4=2,5=4'),
(2,1741604340,0,'optics',NULL,NULL,2,0,'',NULL,1,0,NULL,2,0,20,'arr',9,2,4,NULL,2,1,0,4,2001,2001,0,4294967294,NULL,72,'',0,'worker-2',1,'1','main',1,2,3,5,1741604334,1741604338,1741604338,1741604340,0,'','mirror','/data','sbatch --parsable -o /dev/null -A optics -n1 -t 5 --array=1-4%2 -J arr --wckey=mirror --wrap sleep 2; test $SLURM_ARRAY_TASK_ID != 3',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(3,1741604338,0,'chem',NULL,NULL,0,0,'',NULL,2,0,'it\'s \"quoted\" \\ back',3,768,20,'na`me\'s \\ ä',12,0,4294967294,NULL,3,4,0,6,2002,2002,0,4294967294,NULL,0,'',0,'worker-2',1,'1','main',1,3,5,10,1741604334,1741604334,1741604334,1741604338,0,'','*acid','/data','sbatch --parsable -o /dev/null -A chem -n2 -t 10 --comment=it\'s \"quoted\" \\ back -J na\"me\'s \\ ä --wrap sleep 3; exit 3',NULL,'1=2,3=18446744073709551614,4=1,5=2','1=2,2=4000,4=1,5=2'),
(4,1741604343,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,4,0,24,'wrap',13,0,4294967294,NULL,4,1,0,6,2002,2002,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,4,3,10,1741604334,1741604334,1741604340,1741604343,0,'','*acid','/data','sbatch --parsable -o /dev/null -A astro -q normal -n1 -t 10 --gres=gpu:1 --wrap sleep 3',NULL,'1=1,3=18446744073709551614,4=1,5=1,1001=1','1=1,2=4000,4=1,5=1,1001=1'),
(6,1741604341,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,2,0,20,'arr',9,2,1,NULL,5,1,0,4,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,2,3,5,1741604334,1741604334,1741604334,1741604337,0,'','mirror','/data','sbatch --parsable -o /dev/null -A optics -n1 -t 5 --array=1-4%2 -J arr --wckey=mirror --wrap sleep 2; test $SLURM_ARRAY_TASK_ID != 3',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(7,1741604341,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,2,0,20,'arr',9,2,2,NULL,6,1,0,4,2001,2001,0,4294967294,NULL,0,'',0,'worker-2',1,'1','main',1,2,3,5,1741604334,1741604334,1741604334,1741604337,0,'','mirror','/data','sbatch --parsable -o /dev/null -A optics -n1 -t 5 --array=1-4%2 -J arr --wckey=mirror --wrap sleep 2; test $SLURM_ARRAY_TASK_ID != 3',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(9,1741604341,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,2,256,20,'arr',9,2,3,NULL,7,1,0,4,2001,2001,0,4294967294,NULL,72,'',0,'worker-1',1,'0','main',1,2,5,5,1741604334,1741604338,1741604338,1741604340,0,'','mirror','/data','sbatch --parsable -o /dev/null -A optics -n1 -t 5 --array=1-4%2 -J arr --wckey=mirror --wrap sleep 2; test $SLURM_ARRAY_TASK_ID != 3',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(13,1741604348,0,'optics',NULL,NULL,0,0,'',NULL,2,0,NULL,5,0,20,'wrap',9,0,4294967294,NULL,8,3,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,5,3,10,1741604343,1741604343,1741604344,1741604348,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -q high -n2 -t 10 --wrap sleep 4',NULL,'1=2,3=18446744073709551614,4=1,5=2','1=2,2=4000,4=1,5=2'),
(14,1741604347,0,'astro',NULL,NULL,0,0,'',NULL,2,0,NULL,6,0,20,'wrap',14,0,4294967294,NULL,9,1,0,7,2003,2003,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,4,3,10,1741604343,1741604343,1741604344,1741604347,0,'','*','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 10 -L matlab:2 --wrap sleep 3 -c 2',NULL,'1=2,3=18446744073709551614,4=1,5=2,1002=2','1=2,2=4000,4=1,5=2,1002=2'),
(15,1741604346,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,7,0,20,'to-cancel',14,0,4294967294,NULL,10,1,0,7,2003,2003,0,4294967294,2003,0,'',0,'worker-2',1,'1','main',1,6,4,10,1741604343,1741604343,1741604344,1741604346,0,'','*','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 10 -J to-cancel --wrap sleep 600',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(16,1741604346,0,'chem',NULL,NULL,0,0,'',NULL,1,0,NULL,9,0,20,'again',12,0,4294967294,NULL,12,4,0,6,2002,2002,0,4294967294,NULL,0,'',0,'worker-2',1,'1','main',1,8,1024,10,1741604344,1741604344,1741604344,1741604346,0,'','*acid','/data','sbatch --parsable -o /dev/null -A chem -q low -n1 -t 10 -J again --requeue --wrap sleep 5',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(20,1741604346,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,8,0,16,'never',14,0,4294967294,NULL,11,1,0,7,2003,2003,0,4294967294,2003,9,'',0,'None assigned',0,NULL,'main',1,7,4,10,1741604343,1741607943,0,1741604346,0,'','*','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 10 --begin=now+1hour -J never --wrap sleep 1',NULL,'','1=1,2=4000,4=1,5=1'),
(22,1741604486,0,'chem',NULL,NULL,0,0,'',NULL,1,0,NULL,9,0,20,'again',12,0,4294967294,NULL,12,4,0,6,2002,2002,0,4294967294,NULL,9,'',0,'worker-1',1,'0','main',1,8,3,10,1741604346,1741604467,1741604481,1741604486,0,'','*acid','/data','sbatch --parsable -o /dev/null -A chem -q low -n1 -t 10 -J again --requeue --wrap sleep 5',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(23,1741604374,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,10,0,24,'het1',9,0,4294967294,NULL,13,1,0,5,2001,2001,13,0,NULL,0,'',0,'worker-1',1,'0','main',1,9,3,10,1741604348,1741604348,1741604370,1741604374,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -J het1 -n1 -t 10 -p main : -J het2 -n1 -t 10 -p main',NULL,'1=1,4=1,5=1','1=1,2=4000,4=1,5=1'),
(24,1741604374,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,11,0,24,'het2',9,0,4294967294,NULL,14,1,0,5,2001,2001,13,1,NULL,0,'',0,'worker-2',1,'1','main',1,10,3,10,1741604348,1741604348,1741604370,1741604374,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -J het1 -n1 -t 10 -p main : -J het2 -n1 -t 10 -p main',NULL,'1=1,4=1,5=1','1=1,2=4000,4=1,5=1'),
(25,1741604379,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,12,0,20,'frozen',13,0,4294967294,NULL,15,1,0,6,2002,2002,0,4294967294,NULL,0,'',0,'worker-2',1,'1','debug',1,8,3,10,1741604348,1741604348,1741604374,1741604379,3,'','*acid','/data','sbatch --parsable -o /dev/null -A astro -q normal -n1 -t 10 -J frozen -p debug --wrap sleep 5',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(26,1741604382,0,'astro',NULL,NULL,0,0,'',NULL,2,0,NULL,0,0,18,'direct',10,0,4294967294,NULL,16,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,0,3,5,1741604379,1741604379,1741604379,1741604382,0,'','*laser','/data','srun -A astro -n2 -t 5 -J direct sleep 2',NULL,'1=2,4=1,5=2','1=2,2=4000,4=1,5=2'),
(28,1741604386,0,'optics',NULL,NULL,0,0,'',NULL,1,1792,NULL,0,1792,18,'direct2',11,0,4294967294,NULL,17,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-2',1,'1','debug',1,0,5,5,1741604382,1741604382,1741604382,1741604382,0,'','*laser','/data','srun -A optics -p debug -n1 -t 5 -J direct2 sh -c exit 7',NULL,'1=1,4=1,5=1','1=1,2=4000,4=1,5=1'),
(29,1741604386,0,'physics',NULL,NULL,0,0,'',NULL,1,0,NULL,0,9,18,'sh',16,0,4294967294,NULL,18,1,0,9,2004,2004,0,4294967294,NULL,0,'',100,'worker-1',1,'0','main',1,0,5,5,1741604382,1741604382,1741604382,1741604382,0,'','*','/data','srun -A physics -n1 -t 5 --mem=100 sh -c kill -9 $$',NULL,'1=1,4=1,5=1','1=1,2=100,4=1,5=1'),
(30,1741604386,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,14,0,16,'orphan',9,0,4294967294,NULL,20,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'None assigned',0,NULL,'main',4294967294,11,4,1440,1741604382,0,1741604382,1741604382,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -d afterok:3 -J orphan --kill-on-invalid-dep=yes --wrap true',NULL,'','1=1,2=4000,4=1,5=1'),
(31,1741604460,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,13,0,20,'too-long',14,0,4294967294,NULL,19,1,0,7,2003,2003,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,6,6,1,1741604382,1741604382,1741604383,1741604460,0,'','*','/data','sbatch --parsable -o /dev/null -A astro -t 1 -n1 -J too-long --wrap sleep 600',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(36,1741604391,0,'optics',NULL,NULL,0,0,'',NULL,1,0,NULL,15,0,20,'wrap',9,0,4294967294,NULL,21,1,1,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-2',1,'1','main',1,12,3,1,1741604386,1741604386,1741604389,1741604391,0,'','*laser','/data','sbatch --parsable -o /dev/null -A optics -n1 -t 1 --reservation=maint --wrap sleep 2',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(38,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,16,0,20,'short1',10,0,4294967294,NULL,22,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604392,1741604393,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short1 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(39,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,17,0,20,'short2',10,0,4294967294,NULL,23,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604392,1741604393,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short2 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(40,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,18,0,20,'short3',10,0,4294967294,NULL,24,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604392,1741604393,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short3 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(41,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,19,0,20,'short4',10,0,4294967294,NULL,25,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604395,1741604396,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short4 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(42,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,20,0,20,'short5',10,0,4294967294,NULL,26,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604395,1741604396,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short5 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(43,1741604396,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,21,0,20,'short6',10,0,4294967294,NULL,27,1,0,5,2001,2001,0,4294967294,NULL,0,'',0,'worker-1',1,'0','main',1,7,3,5,1741604392,1741604392,1741604395,1741604396,0,'','*laser','/data','sbatch --parsable -o /dev/null -A astro -n1 -t 5 -J short6 --wrap sleep 1',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(50,1741604481,0,'chem',NULL,NULL,0,0,'',NULL,1,0,NULL,22,0,16,'runs-on',12,0,4294967294,NULL,28,4,0,6,2002,2002,0,4294967294,NULL,0,'',0,'None assigned',0,NULL,'main',1,13,0,100000,1741604480,1741604480,0,0,0,'','*acid','/data','sbatch --parsable -o /dev/null -A chem -n1 -J runs-on --wrap sleep 3000',NULL,'','1=1,2=4000,4=1,5=1'),
(51,1741604481,0,'chem',NULL,NULL,0,0,'',NULL,1,0,NULL,23,0,16,'waits',12,0,4294967294,NULL,29,4,0,6,2002,2002,0,4294967294,NULL,16,'',0,'None assigned',0,NULL,'main',0,13,0,100000,1741604480,0,0,0,0,'','*acid','/data','sbatch --parsable -o /dev/null -A chem -n1 -J waits --hold --wrap sleep 3000',NULL,'','1=1,2=4000,4=1,5=1'),
(52,1741604898,0,'astro',NULL,NULL,0,0,'',NULL,1,0,NULL,24,0,20,'runs',13,0,4294967294,NULL,30,1,0,6,2002,2002,0,4294967294,0,0,'',0,'worker-1',1,'0','main',1,13,4,10,1741604630,1741604630,1741604631,1741604898,0,'','*acid','/data','sbatch -A astro -q normal -n1 -t 10 -J runs --wrap sleep 3000 -o /dev/null',NULL,'1=1,3=18446744073709551614,4=1,5=1','1=1,2=4000,4=1,5=1'),
(54,1741605203,0,NULL,NULL,NULL,0,0,'',NULL,0,0,NULL,0,0,16,'allocation',13,0,4294967294,NULL,31,0,0,6,0,0,0,4294967294,NULL,0,'',0,'worker-1',0,NULL,'',0,0,0,0,1741605202,0,1741605203,0,0,'','*acid','',NULL,NULL,'','');
/*!40000 ALTER TABLE `lab_job_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_last_ran_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_last_ran_table` (
  `hourly_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  `daily_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  `monthly_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`hourly_rollup`,`daily_rollup`,`monthly_rollup`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_last_ran_table` WRITE;
/*!40000 ALTER TABLE `lab_last_ran_table` DISABLE KEYS */;
INSERT INTO `lab_last_ran_table` VALUES
(1741651200,1741651200,1741604310);
/*!40000 ALTER TABLE `lab_last_ran_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_resv_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_resv_table` (
  `id_resv` int(10) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `assoclist` text NOT NULL DEFAULT '',
  `flags` bigint(20) unsigned NOT NULL DEFAULT 0,
  `nodelist` text NOT NULL DEFAULT '',
  `node_inx` text NOT NULL DEFAULT '',
  `resv_name` text NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `tres` text NOT NULL DEFAULT '',
  `unused_wall` double unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_resv`,`time_start`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_resv_table` WRITE;
/*!40000 ALTER TABLE `lab_resv_table` DISABLE KEYS */;
INSERT INTO `lab_resv_table` VALUES
(1,0,'10,11,9',32768,'worker-2','1','maint',1741777185,1741777245,'1=4',59);
/*!40000 ALTER TABLE `lab_resv_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_step_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_step_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `exit_code` int(11) NOT NULL DEFAULT 0,
  `id_step` int(11) NOT NULL,
  `step_het_comp` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `kill_requid` int(10) unsigned DEFAULT NULL,
  `nodelist` text NOT NULL,
  `nodes_alloc` int(10) unsigned NOT NULL,
  `node_inx` text DEFAULT NULL,
  `state` smallint(5) unsigned NOT NULL,
  `step_name` text NOT NULL,
  `task_cnt` int(10) unsigned NOT NULL,
  `task_dist` int(11) NOT NULL DEFAULT 0,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_suspended` bigint(20) unsigned NOT NULL DEFAULT 0,
  `user_sec` bigint(20) unsigned NOT NULL DEFAULT 0,
  `user_usec` int(10) unsigned NOT NULL DEFAULT 0,
  `sys_sec` bigint(20) unsigned NOT NULL DEFAULT 0,
  `sys_usec` int(10) unsigned NOT NULL DEFAULT 0,
  `act_cpufreq` double unsigned NOT NULL DEFAULT 0,
  `consumed_energy` bigint(20) unsigned NOT NULL DEFAULT 0,
  `container` text DEFAULT NULL,
  `req_cpufreq_min` int(10) unsigned NOT NULL DEFAULT 0,
  `req_cpufreq` int(10) unsigned NOT NULL DEFAULT 0,
  `req_cpufreq_gov` int(10) unsigned NOT NULL DEFAULT 0,
  `submit_line` text DEFAULT NULL,
  `tres_alloc` text NOT NULL DEFAULT '',
  `tres_usage_in_ave` text NOT NULL DEFAULT '',
  `tres_usage_in_max` text NOT NULL DEFAULT '',
  `tres_usage_in_max_taskid` text NOT NULL DEFAULT '',
  `tres_usage_in_max_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_in_min` text NOT NULL DEFAULT '',
  `tres_usage_in_min_taskid` text NOT NULL DEFAULT '',
  `tres_usage_in_min_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_in_tot` text NOT NULL DEFAULT '',
  `tres_usage_out_ave` text NOT NULL DEFAULT '',
  `tres_usage_out_max` text NOT NULL DEFAULT '',
  `tres_usage_out_max_taskid` text NOT NULL DEFAULT '',
  `tres_usage_out_max_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_out_min` text NOT NULL DEFAULT '',
  `tres_usage_out_min_taskid` text NOT NULL DEFAULT '',
  `tres_usage_out_min_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_out_tot` text NOT NULL DEFAULT '',
  PRIMARY KEY (`job_db_inx`,`id_step`,`step_het_comp`),
  KEY `no_step_comp` (`job_db_inx`,`id_step`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_step_table` WRITE;
/*!40000 ALTER TABLE `lab_step_table` DISABLE KEYS */;
INSERT INTO `lab_step_table` VALUES
(1,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604334,1741604339,0,0,21015,0,36287,0,0,NULL,0,0,0,NULL,'1=3,2=0,4=1','1=10,2=11177984,3=0,6=57439,7=293023744,8=0','1=10,2=11177984,3=0,6=57439,7=293023744,8=2','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=10,2=11177984,3=0,6=57439,7=293023744,8=2','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=10,2=11177984,3=0,6=57439,7=293023744,8=0','3=0,6=3307','3=0,6=3307','6=0','3=0,6=0','3=0,6=3307','6=0','3=0,6=0','3=0,6=3307'),
(1,0,0,0,4294967294,NULL,'worker-[1-2]',2,'0-1',3,'sleep',2,1,1741604335,1741604338,0,0,4241,0,3115,3056,0,NULL,4294967294,4294967294,4294967294,'srun --overlap -n2 -N2 sleep 2','1=4,2=0,4=2','1=0,2=1388544,3=0,6=3981,7=2560000,8=0','1=0,2=1425408,3=0,6=3981,7=2560000,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=1351680,3=0,6=3981,7=2560000,8=0','1=0,2=1,6=0,7=0,8=0','1=0,2=1,3=0,6=0,7=0,8=0','1=0,2=2777088,3=0,6=7962,7=5120000,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=2'),
(1,0,0,1,4294967294,NULL,'worker-1',1,'0',3,'second step',1,1,1741604338,1741604339,0,0,509674,0,3434,0,0,NULL,4294967294,4294967294,4294967294,'srun --overlap -n1 -J second step sh -c i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done','1=3,2=0,4=1','1=300,2=1511424,3=0,6=3981,7=2654208,8=0','1=300,2=1511424,3=0,6=3981,7=2654208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=300,2=1511424,3=0,6=3981,7=2654208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=300,2=1511424,3=0,6=3981,7=2654208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(1,0,256,2,4294967294,NULL,'worker-1',1,'0',5,'false',1,1,1741604339,1741604339,0,0,398,0,2910,0,0,NULL,4294967294,4294967294,4294967294,'srun --overlap -n1 false','1=3,2=0,4=1','3=0','','','','','','','3=0','3=0','','','','','','','3=0'),
(2,0,0,-5,4294967294,NULL,'worker-2',1,'1',3,'batch',1,0,1741604338,1741604340,0,0,1183,0,4961,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2924544,3=0,6=8151,7=5214208,8=0','1=0,2=2924544,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2924544,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2924544,3=0,6=8151,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(3,0,768,-5,4294967294,NULL,'worker-2',1,'1',5,'batch',1,0,1741604334,1741604338,0,0,1400,0,2990,2445,0,NULL,0,0,0,NULL,'1=2,2=0,4=1','1=0,2=2789376,3=0,6=8103,7=5214208,8=0','1=0,2=2789376,3=0,6=8103,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2789376,3=0,6=8103,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2789376,3=0,6=8103,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(4,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604340,1741604343,0,0,1781,0,3183,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1,1001=1','1=0,2=2797568,3=0,6=8087,7=5214208,8=0','1=0,2=2797568,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2797568,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2797568,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(6,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604334,1741604337,0,0,4722,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=3039232,3=0,6=8151,7=5214208,8=0','1=0,2=3039232,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3039232,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3039232,3=0,6=8151,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(7,0,0,-5,4294967294,NULL,'worker-2',1,'1',3,'batch',1,0,1741604334,1741604337,0,0,1267,0,3015,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2961408,3=0,6=8151,7=5214208,8=0','1=0,2=2961408,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2961408,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2961408,3=0,6=8151,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(9,0,256,-5,4294967294,NULL,'worker-1',1,'0',5,'batch',1,0,1741604338,1741604340,0,0,508,0,5406,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2969600,3=0,6=8151,7=5214208,8=0','1=0,2=2969600,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2969600,3=0,6=8151,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2969600,3=0,6=8151,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(13,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604344,1741604348,0,0,4064,0,0,2445,0,NULL,0,0,0,NULL,'1=2,2=0,4=1','1=0,2=2772992,3=0,6=8087,7=5214208,8=0','1=0,2=2772992,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2772992,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2772992,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(14,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604344,1741604347,0,0,3413,0,0,2445,0,NULL,0,0,0,NULL,'1=2,2=0,4=1','1=0,2=2965504,3=0,6=8087,7=5214208,8=0','1=0,2=2965504,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2965504,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2965504,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(15,0,15,-5,4294967294,NULL,'worker-2',1,'1',4,'batch',1,0,1741604344,1741604346,0,0,3360,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2920448,3=0,6=8091,7=5214208,8=0','1=0,2=2920448,3=0,6=8091,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2920448,3=0,6=8091,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2920448,3=0,6=8091,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(16,0,15,-5,4294967294,NULL,'worker-2',1,'1',4,'batch',1,0,1741604344,1741604346,0,0,3868,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2805760,3=0,6=8087,7=5214208,8=0','1=0,2=2805760,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2805760,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2805760,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(22,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604481,1741604486,0,0,720,0,3482,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2953216,3=0,6=8087,7=5214208,8=0','1=0,2=2953216,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2953216,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2953216,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(23,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604370,1741604374,0,0,14496,0,21209,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=20,2=14336000,3=0,6=32624,7=563396608,8=2','1=20,2=14336000,3=0,6=32624,7=563396608,8=2','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=20,2=14336000,3=0,6=32624,7=563396608,8=2','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=20,2=14336000,3=0,6=32624,7=563396608,8=2','3=0,6=1890','3=0,6=1890','6=0','3=0,6=0','3=0,6=1890','6=0','3=0,6=0','3=0,6=1890'),
(23,0,0,0,4294967294,NULL,'worker-1',1,'0',3,'sleep',1,1,1741604371,1741604374,0,0,747,0,3285,2445,0,NULL,4294967294,4294967294,4294967294,'srun --het-group=0,1 sleep 2','1=1,2=0,4=1','1=0,2=1351680,3=0,6=3981,7=2564096,8=0','1=0,2=1351680,3=0,6=3981,7=2564096,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=1351680,3=0,6=3981,7=2564096,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=1351680,3=0,6=3981,7=2564096,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(24,0,0,0,4294967294,NULL,'worker-2',1,'1',3,'sleep',1,1,1741604371,1741604374,0,0,483,0,3025,2445,0,NULL,4294967294,4294967294,4294967294,'srun --het-group=0,1 sleep 2','1=1,2=0,4=1','1=0,2=1343488,3=0,6=3981,7=2564096,8=0','1=0,2=1343488,3=0,6=3981,7=2564096,8=0','1=1,2=1,6=1,7=1,8=1','1=1,2=1,3=1,6=1,7=1,8=1','1=0,2=1343488,3=0,6=3981,7=2564096,8=0','1=1,2=1,6=1,7=1,8=1','1=1,2=1,3=1,6=1,7=1,8=1','1=0,2=1343488,3=0,6=3981,7=2564096,8=0','3=0,6=1','3=0,6=1','6=1','3=1,6=1','3=0,6=1','6=1','3=1,6=1','3=0,6=1'),
(25,0,0,-5,4294967294,NULL,'worker-2',1,'1',3,'batch',1,0,1741604374,1741604379,3,0,5858,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2793472,3=0,6=8087,7=5214208,8=0','1=0,2=2793472,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2793472,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2793472,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(26,0,0,0,4294967294,NULL,'worker-1',1,'0',3,'direct',2,2,1741604379,1741604382,0,0,3971,0,2752,4890,0,NULL,4294967294,4294967294,4294967294,'srun -A astro -n2 -t 5 -J direct sleep 2','1=2,2=0,4=1','1=0,2=1425408,3=0,6=3981,7=2560000,8=0','1=0,2=1425408,3=0,6=3981,7=2560000,8=0','1=1,2=1,6=1,7=1,8=1','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=1425408,3=0,6=3981,7=2560000,8=0','1=1,2=1,6=1,7=1,8=1','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2850816,3=0,6=7962,7=5120000,8=0','3=0,6=1','3=0,6=1','6=1','3=0,6=0','3=0,6=1','6=1','3=0,6=0','3=0,6=2'),
(28,0,1792,0,4294967294,NULL,'worker-2',1,'1',5,'direct2',1,2,1741604382,1741604382,0,0,368,0,2253,0,0,NULL,4294967294,4294967294,4294967294,'srun -A optics -p debug -n1 -t 5 -J direct2 sh -c exit 7','1=1,2=0,4=1','3=0','','','','','','','3=0','3=0','','','','','','','3=0'),
(29,0,9,0,4294967294,NULL,'worker-1',1,'0',4,'sh',1,1,1741604382,1741604382,0,0,0,0,2926,0,0,NULL,4294967294,4294967294,4294967294,'srun -A physics -n1 -t 5 --mem=100 sh -c kill -9 $$','1=1,2=0,4=1','3=0','','','','','','','3=0','3=0','','','','','','','3=0'),
(31,0,15,-5,4294967294,NULL,'worker-1',1,'0',4,'batch',1,0,1741604383,1741604460,0,0,3852,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2994176,3=0,6=8091,7=5214208,8=0','1=0,2=2994176,3=0,6=8091,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2994176,3=0,6=8091,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2994176,3=0,6=8091,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(36,0,0,-5,4294967294,NULL,'worker-2',1,'1',3,'batch',1,0,1741604389,1741604391,0,0,1698,0,4106,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2936832,3=0,6=8087,7=5214208,8=0','1=0,2=2936832,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2936832,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2936832,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(38,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604392,1741604393,0,0,4305,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=3063808,3=0,6=8087,7=5214208,8=0','1=0,2=3063808,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3063808,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3063808,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(39,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604392,1741604393,0,0,4245,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=3035136,3=0,6=8087,7=5214208,8=0','1=0,2=3035136,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3035136,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3035136,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(40,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604392,1741604393,0,0,4656,0,0,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=3051520,3=0,6=8087,7=5214208,8=1','1=0,2=3051520,3=0,6=8087,7=5214208,8=1','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3051520,3=0,6=8087,7=5214208,8=1','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3051520,3=0,6=8087,7=5214208,8=1','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(41,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604395,1741604396,0,0,3067,0,856,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2834432,3=0,6=8087,7=5214208,8=0','1=0,2=2834432,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2834432,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2834432,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(42,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604395,1741604396,0,0,1262,0,3846,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2994176,3=0,6=8087,7=5214208,8=0','1=0,2=2994176,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2994176,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2994176,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(43,0,0,-5,4294967294,NULL,'worker-1',1,'0',3,'batch',1,0,1741604395,1741604396,0,0,4826,0,1010,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=2908160,3=0,6=8087,7=5214208,8=0','1=0,2=2908160,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2908160,3=0,6=8087,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=2908160,3=0,6=8087,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(52,0,15,-5,4294967294,NULL,'worker-1',1,'0',4,'batch',1,0,1741604631,1741604898,0,0,0,0,3308,2445,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','1=0,2=3022848,3=0,6=8093,7=5214208,8=0','1=0,2=3022848,3=0,6=8093,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3022848,3=0,6=8093,7=5214208,8=0','1=0,2=0,6=0,7=0,8=0','1=0,2=0,3=0,6=0,7=0,8=0','1=0,2=3022848,3=0,6=8093,7=5214208,8=0','3=0,6=1','3=0,6=1','6=0','3=0,6=0','3=0,6=1','6=0','3=0,6=0','3=0,6=1'),
(54,0,0,-5,4294967294,NULL,'worker-1',1,'0',1,'batch',1,0,1741605203,0,0,0,0,0,0,0,0,NULL,0,0,0,NULL,'1=1,2=0,4=1','','','','','','','','','','','','','','','','');
/*!40000 ALTER TABLE `lab_step_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_suspend_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_suspend_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL,
  `id_assoc` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`job_db_inx`,`time_start`),
  KEY `job_db_inx_times` (`job_db_inx`,`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_suspend_table` WRITE;
/*!40000 ALTER TABLE `lab_suspend_table` DISABLE KEYS */;
INSERT INTO `lab_suspend_table` VALUES
(25,13,1741604375,1741604378);
/*!40000 ALTER TABLE `lab_suspend_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_usage_day_table` WRITE;
/*!40000 ALTER TABLE `lab_usage_day_table` DISABLE KEYS */;
INSERT INTO `lab_usage_day_table` VALUES
(1741651501,1741651501,0,1,1741564800,8,430,12,0,327852,46826,0),
(1741651501,1741651501,0,2,1741564800,8000,0,12000,0,375108000,0,0),
(1741651501,1741651501,0,3,1741564800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,5,1741564800,8,433,12,0,374675,0,0),
(1741651501,1741651501,0,6,1741564800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741564800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741564800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,1001,1741564800,4,3,6,0,187551,0,0),
(1741651501,1741651501,0,1002,1741564800,4,6,0,0,187554,0,0);
/*!40000 ALTER TABLE `lab_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `lab_usage_hour_table` DISABLE KEYS */;
INSERT INTO `lab_usage_hour_table` VALUES
(1741651501,1741651501,0,1,1741604310,8,98,12,0,519,91,0),
(1741651501,1741651501,0,1,1741604400,8,332,0,0,24933,3535,0),
(1741651501,1741651501,0,1,1741608000,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741611600,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741615200,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741618800,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741622400,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741626000,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741629600,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741633200,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741636800,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741640400,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741644000,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,1,1741647600,8,0,0,0,25200,3600,0),
(1741651501,1741651501,0,2,1741604310,8000,0,12000,0,708000,0,0),
(1741651501,1741651501,0,2,1741604400,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741608000,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741611600,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741615200,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741618800,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741622400,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741626000,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741629600,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741633200,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741636800,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741640400,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741644000,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,2,1741647600,8000,0,0,0,28800000,0,0),
(1741651501,1741651501,0,3,1741604310,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741604400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741608000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741611600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741615200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741618800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741622400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741626000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741629600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741633200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741636800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741640400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741644000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,3,1741647600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,5,1741604310,8,101,12,0,607,0,0),
(1741651501,1741651501,0,5,1741604400,8,332,0,0,28468,0,0),
(1741651501,1741651501,0,5,1741608000,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741611600,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741615200,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741618800,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741622400,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741626000,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741629600,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741633200,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741636800,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741640400,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741644000,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,5,1741647600,8,0,0,0,28800,0,0),
(1741651501,1741651501,0,6,1741604310,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741604400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741608000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741611600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741615200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741618800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741622400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741626000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741629600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741633200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741636800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741640400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741644000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,6,1741647600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741604310,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741604400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741608000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741611600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741615200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741618800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741622400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741626000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741629600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741633200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741636800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741640400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741644000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,7,1741647600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741604310,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741604400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741608000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741611600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741615200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741618800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741622400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741626000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741629600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741633200,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741636800,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741640400,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741644000,0,0,0,0,0,0,0),
(1741651501,1741651501,0,8,1741647600,0,0,0,0,0,0,0),
(1741651501,1741651501,0,1001,1741604310,4,3,6,0,351,0,0),
(1741651501,1741651501,0,1001,1741604400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741608000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741611600,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741615200,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741618800,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741622400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741626000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741629600,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741633200,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741636800,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741640400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741644000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1001,1741647600,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741604310,4,6,0,0,354,0,0),
(1741651501,1741651501,0,1002,1741604400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741608000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741611600,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741615200,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741618800,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741622400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741626000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741629600,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741633200,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741636800,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741640400,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741644000,4,0,0,0,14400,0,0),
(1741651501,1741651501,0,1002,1741647600,4,0,0,0,14400,0,0);
/*!40000 ALTER TABLE `lab_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_usage_month_table` WRITE;
/*!40000 ALTER TABLE `lab_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `lab_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_wckey_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `is_def` tinyint(4) NOT NULL DEFAULT 0,
  `id_wckey` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `wckey_name` tinytext NOT NULL DEFAULT '',
  `user` tinytext NOT NULL,
  PRIMARY KEY (`id_wckey`),
  UNIQUE KEY `udex` (`wckey_name`(42),`user`(42))
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_wckey_table` WRITE;
/*!40000 ALTER TABLE `lab_wckey_table` DISABLE KEYS */;
INSERT INTO `lab_wckey_table` VALUES
(1741604323,1741604323,0,1,1,'laser','alice'),
(1741604325,1741604325,0,1,2,'acid','bob'),
(1741604327,1741604327,0,1,3,'','carol'),
(1741604330,1741604330,0,0,4,'mirror','alice'),
(1741604334,1741604334,0,0,5,'*laser','alice'),
(1741604335,1741604335,0,0,6,'*acid','bob'),
(1741604344,1741604344,0,0,7,'*','carol'),
(1741604382,1741604382,0,1,8,'','dave'),
(1741604382,1741604382,0,0,9,'*','dave');
/*!40000 ALTER TABLE `lab_wckey_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_wckey_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_wckey_usage_day_table` WRITE;
/*!40000 ALTER TABLE `lab_wckey_usage_day_table` DISABLE KEYS */;
INSERT INTO `lab_wckey_usage_day_table` VALUES
(1741651501,1741651501,0,4,1,1741564800,10),
(1741651501,1741651501,0,4,4,1741564800,10),
(1741651501,1741651501,0,4,5,1741564800,10),
(1741651501,1741651501,0,5,1,1741564800,50),
(1741651501,1741651501,0,5,4,1741564800,33),
(1741651501,1741651501,0,5,5,1741564800,50),
(1741651501,1741651501,0,6,1,1741564800,287),
(1741651501,1741651501,0,6,4,1741564800,286),
(1741651501,1741651501,0,6,5,1741564800,290),
(1741651501,1741651501,0,6,1001,1741564800,3),
(1741651501,1741651501,0,7,1,1741564800,85),
(1741651501,1741651501,0,7,4,1741564800,82),
(1741651501,1741651501,0,7,5,1741564800,85),
(1741651501,1741651501,0,7,1002,1741564800,6);
/*!40000 ALTER TABLE `lab_wckey_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_wckey_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_wckey_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `lab_wckey_usage_hour_table` DISABLE KEYS */;
INSERT INTO `lab_wckey_usage_hour_table` VALUES
(1741651501,1741651501,0,4,1,1741600800,10),
(1741651501,1741651501,0,4,4,1741600800,10),
(1741651501,1741651501,0,4,5,1741600800,10),
(1741651501,1741651501,0,5,1,1741600800,50),
(1741651501,1741651501,0,5,4,1741600800,33),
(1741651501,1741651501,0,5,5,1741600800,50),
(1741651501,1741651501,0,6,1,1741600800,15),
(1741651501,1741651501,0,6,1,1741604400,272),
(1741651501,1741651501,0,6,4,1741600800,14),
(1741651501,1741651501,0,6,4,1741604400,272),
(1741651501,1741651501,0,6,5,1741600800,18),
(1741651501,1741651501,0,6,5,1741604400,272),
(1741651501,1741651501,0,6,1001,1741600800,3),
(1741651501,1741651501,0,7,1,1741600800,25),
(1741651501,1741651501,0,7,1,1741604400,60),
(1741651501,1741651501,0,7,4,1741600800,22),
(1741651501,1741651501,0,7,4,1741604400,60),
(1741651501,1741651501,0,7,5,1741600800,25),
(1741651501,1741651501,0,7,5,1741604400,60),
(1741651501,1741651501,0,7,1002,1741600800,6);
/*!40000 ALTER TABLE `lab_wckey_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `lab_wckey_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `lab_wckey_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `lab_wckey_usage_month_table` WRITE;
/*!40000 ALTER TABLE `lab_wckey_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `lab_wckey_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_assoc_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_assoc_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `is_def` tinyint(4) NOT NULL DEFAULT 0,
  `id_assoc` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `user` tinytext NOT NULL DEFAULT '',
  `acct` tinytext NOT NULL,
  `partition` tinytext NOT NULL DEFAULT '',
  `parent_acct` tinytext NOT NULL DEFAULT '',
  `lft` int(11) NOT NULL,
  `rgt` int(11) NOT NULL,
  `shares` int(11) NOT NULL DEFAULT 1,
  `max_jobs` int(11) DEFAULT NULL,
  `max_jobs_accrue` int(11) DEFAULT NULL,
  `min_prio_thresh` int(11) DEFAULT NULL,
  `max_submit_jobs` int(11) DEFAULT NULL,
  `max_tres_pj` text NOT NULL DEFAULT '',
  `max_tres_pn` text NOT NULL DEFAULT '',
  `max_tres_mins_pj` text NOT NULL DEFAULT '',
  `max_tres_run_mins` text NOT NULL DEFAULT '',
  `max_wall_pj` int(11) DEFAULT NULL,
  `grp_jobs` int(11) DEFAULT NULL,
  `grp_jobs_accrue` int(11) DEFAULT NULL,
  `grp_submit_jobs` int(11) DEFAULT NULL,
  `grp_tres` text NOT NULL DEFAULT '',
  `grp_tres_mins` text NOT NULL DEFAULT '',
  `grp_tres_run_mins` text NOT NULL DEFAULT '',
  `grp_wall` int(11) DEFAULT NULL,
  `priority` int(10) unsigned DEFAULT NULL,
  `def_qos_id` int(11) DEFAULT NULL,
  `qos` blob NOT NULL DEFAULT '',
  `delta_qos` blob NOT NULL DEFAULT '',
  PRIMARY KEY (`id_assoc`),
  UNIQUE KEY `udex` (`user`(42),`acct`(42),`partition`(42)),
  KEY `lft` (`lft`),
  KEY `account` (`acct`(42))
) ENGINE=InnoDB AUTO_INCREMENT=14 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_assoc_table` WRITE;
/*!40000 ALTER TABLE `other_assoc_table` DISABLE KEYS */;
INSERT INTO `other_assoc_table` VALUES
(1741604315,1741604914,0,0,1,'','root','','',1,22,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,0x2C312C,''),
(1741604316,1741604914,0,1,2,'root','root','','',20,21,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604319,1741604914,0,0,3,'','physics','','root',6,19,30,NULL,NULL,NULL,NULL,'','','','',NULL,40,NULL,NULL,'1=8,1002=3','','',NULL,NULL,NULL,'',''),
(1741604320,1741604914,0,0,4,'','optics','','physics',15,18,10,NULL,NULL,NULL,NULL,'1=8','','','',1440,NULL,NULL,NULL,'','','',NULL,NULL,1,0x2C312C332C342C,''),
(1741604321,1741604914,0,0,5,'','astro','','physics',7,14,20,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',0x2C2B332C),
(1741604322,1741604914,0,0,6,'','chem','','root',2,5,2147483647,6,NULL,NULL,100,'','1=3','1=4000','',NULL,NULL,NULL,200,'','1=500000','1=90000',90000,7,NULL,'',''),
(1741604323,1741604914,0,1,8,'alice','optics','','',16,17,5,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604324,1741604914,0,0,9,'alice','astro','','',12,13,2,9,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604325,1741604914,0,1,10,'bob','chem','','',3,4,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,4,0x2C312C342C,''),
(1741604326,1741604914,0,0,11,'bob','astro','','',10,11,3,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'',''),
(1741604327,1741604914,0,1,12,'carol','astro','','',8,9,1,NULL,NULL,NULL,NULL,'','','','',NULL,NULL,NULL,NULL,'','','',NULL,NULL,NULL,'','');
/*!40000 ALTER TABLE `other_assoc_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_assoc_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_assoc_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_assoc_usage_day_table` WRITE;
/*!40000 ALTER TABLE `other_assoc_usage_day_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_assoc_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_assoc_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_assoc_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_assoc_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `other_assoc_usage_hour_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_assoc_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_assoc_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_assoc_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_assoc_usage_month_table` WRITE;
/*!40000 ALTER TABLE `other_assoc_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_assoc_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_event_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_event_table` (
  `time_start` bigint(20) unsigned NOT NULL,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `node_name` tinytext NOT NULL DEFAULT '',
  `cluster_nodes` text NOT NULL DEFAULT '',
  `reason` tinytext NOT NULL,
  `reason_uid` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `state` int(10) unsigned NOT NULL DEFAULT 0,
  `tres` text NOT NULL DEFAULT '',
  PRIMARY KEY (`node_name`(42),`time_start`),
  KEY `rollup` (`node_name`(42),`time_start`,`time_end`,`state`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_event_table` WRITE;
/*!40000 ALTER TABLE `other_event_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_event_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_job_env_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_job_env_table` (
  `hash_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `last_used` timestamp NOT NULL DEFAULT current_timestamp(),
  `env_hash` text NOT NULL,
  `env_vars` longtext DEFAULT NULL,
  PRIMARY KEY (`hash_inx`),
  UNIQUE KEY `env_hash_inx` (`env_hash`(66))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_job_env_table` WRITE;
/*!40000 ALTER TABLE `other_job_env_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_job_env_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_job_script_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_job_script_table` (
  `hash_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `last_used` timestamp NOT NULL DEFAULT current_timestamp(),
  `script_hash` text NOT NULL,
  `batch_script` longtext DEFAULT NULL,
  PRIMARY KEY (`hash_inx`),
  UNIQUE KEY `script_hash_inx` (`script_hash`(66))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_job_script_table` WRITE;
/*!40000 ALTER TABLE `other_job_script_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_job_script_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_job_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_job_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `account` tinytext DEFAULT NULL,
  `admin_comment` text DEFAULT NULL,
  `array_task_str` text DEFAULT NULL,
  `array_max_tasks` int(10) unsigned NOT NULL DEFAULT 0,
  `array_task_pending` int(10) unsigned NOT NULL DEFAULT 0,
  `constraints` text DEFAULT '',
  `container` text DEFAULT NULL,
  `cpus_req` int(10) unsigned NOT NULL,
  `derived_ec` int(10) unsigned NOT NULL DEFAULT 0,
  `derived_es` text DEFAULT NULL,
  `env_hash_inx` bigint(20) unsigned NOT NULL DEFAULT 0,
  `exit_code` int(10) unsigned NOT NULL DEFAULT 0,
  `flags` int(10) unsigned NOT NULL DEFAULT 0,
  `job_name` tinytext NOT NULL,
  `id_assoc` int(10) unsigned NOT NULL,
  `id_array_job` int(10) unsigned NOT NULL DEFAULT 0,
  `id_array_task` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `id_block` tinytext DEFAULT NULL,
  `id_job` int(10) unsigned NOT NULL,
  `id_qos` int(10) unsigned NOT NULL DEFAULT 0,
  `id_resv` int(10) unsigned NOT NULL,
  `id_wckey` int(10) unsigned NOT NULL,
  `id_user` int(10) unsigned NOT NULL,
  `id_group` int(10) unsigned NOT NULL,
  `het_job_id` int(10) unsigned NOT NULL,
  `het_job_offset` int(10) unsigned NOT NULL,
  `kill_requid` int(10) unsigned DEFAULT NULL,
  `state_reason_prev` int(10) unsigned NOT NULL,
  `mcs_label` tinytext DEFAULT '',
  `mem_req` bigint(20) unsigned NOT NULL DEFAULT 0,
  `nodelist` text DEFAULT NULL,
  `nodes_alloc` int(10) unsigned NOT NULL,
  `node_inx` text DEFAULT NULL,
  `partition` tinytext NOT NULL,
  `priority` int(10) unsigned NOT NULL,
  `script_hash_inx` bigint(20) unsigned NOT NULL DEFAULT 0,
  `state` int(10) unsigned NOT NULL,
  `timelimit` int(10) unsigned NOT NULL DEFAULT 0,
  `time_submit` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_eligible` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_suspended` bigint(20) unsigned NOT NULL DEFAULT 0,
  `gres_used` text NOT NULL DEFAULT '',
  `wckey` tinytext NOT NULL DEFAULT '',
  `work_dir` text NOT NULL DEFAULT '',
  `submit_line` text DEFAULT NULL,
  `system_comment` text DEFAULT NULL,
  `tres_alloc` text NOT NULL DEFAULT '',
  `tres_req` text NOT NULL DEFAULT '',
  PRIMARY KEY (`job_db_inx`),
  UNIQUE KEY `id_job` (`id_job`,`time_submit`),
  KEY `old_tuple` (`id_job`,`id_assoc`,`time_submit`),
  KEY `rollup` (`time_eligible`,`time_end`),
  KEY `rollup2` (`time_end`,`time_eligible`),
  KEY `nodes_alloc` (`nodes_alloc`),
  KEY `wckey` (`id_wckey`),
  KEY `qos` (`id_qos`),
  KEY `association` (`id_assoc`),
  KEY `array_job` (`id_array_job`),
  KEY `het_job` (`het_job_id`),
  KEY `reserv` (`id_resv`),
  KEY `sacct_def` (`id_user`,`time_start`,`time_end`),
  KEY `sacct_def2` (`id_user`,`time_end`,`time_eligible`),
  KEY `env_hash_inx` (`env_hash_inx`),
  KEY `script_hash_inx` (`script_hash_inx`),
  KEY `archive_purge` (`time_submit`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_job_table` WRITE;
/*!40000 ALTER TABLE `other_job_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_job_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_last_ran_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_last_ran_table` (
  `hourly_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  `daily_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  `monthly_rollup` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`hourly_rollup`,`daily_rollup`,`monthly_rollup`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_last_ran_table` WRITE;
/*!40000 ALTER TABLE `other_last_ran_table` DISABLE KEYS */;
INSERT INTO `other_last_ran_table` VALUES
(1741651200,1741651200,1741604310);
/*!40000 ALTER TABLE `other_last_ran_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_resv_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_resv_table` (
  `id_resv` int(10) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `assoclist` text NOT NULL DEFAULT '',
  `flags` bigint(20) unsigned NOT NULL DEFAULT 0,
  `nodelist` text NOT NULL DEFAULT '',
  `node_inx` text NOT NULL DEFAULT '',
  `resv_name` text NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `tres` text NOT NULL DEFAULT '',
  `unused_wall` double unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_resv`,`time_start`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_resv_table` WRITE;
/*!40000 ALTER TABLE `other_resv_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_resv_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_step_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_step_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `exit_code` int(11) NOT NULL DEFAULT 0,
  `id_step` int(11) NOT NULL,
  `step_het_comp` int(10) unsigned NOT NULL DEFAULT 4294967294,
  `kill_requid` int(10) unsigned DEFAULT NULL,
  `nodelist` text NOT NULL,
  `nodes_alloc` int(10) unsigned NOT NULL,
  `node_inx` text DEFAULT NULL,
  `state` smallint(5) unsigned NOT NULL,
  `step_name` text NOT NULL,
  `task_cnt` int(10) unsigned NOT NULL,
  `task_dist` int(11) NOT NULL DEFAULT 0,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_suspended` bigint(20) unsigned NOT NULL DEFAULT 0,
  `user_sec` bigint(20) unsigned NOT NULL DEFAULT 0,
  `user_usec` int(10) unsigned NOT NULL DEFAULT 0,
  `sys_sec` bigint(20) unsigned NOT NULL DEFAULT 0,
  `sys_usec` int(10) unsigned NOT NULL DEFAULT 0,
  `act_cpufreq` double unsigned NOT NULL DEFAULT 0,
  `consumed_energy` bigint(20) unsigned NOT NULL DEFAULT 0,
  `container` text DEFAULT NULL,
  `req_cpufreq_min` int(10) unsigned NOT NULL DEFAULT 0,
  `req_cpufreq` int(10) unsigned NOT NULL DEFAULT 0,
  `req_cpufreq_gov` int(10) unsigned NOT NULL DEFAULT 0,
  `submit_line` text DEFAULT NULL,
  `tres_alloc` text NOT NULL DEFAULT '',
  `tres_usage_in_ave` text NOT NULL DEFAULT '',
  `tres_usage_in_max` text NOT NULL DEFAULT '',
  `tres_usage_in_max_taskid` text NOT NULL DEFAULT '',
  `tres_usage_in_max_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_in_min` text NOT NULL DEFAULT '',
  `tres_usage_in_min_taskid` text NOT NULL DEFAULT '',
  `tres_usage_in_min_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_in_tot` text NOT NULL DEFAULT '',
  `tres_usage_out_ave` text NOT NULL DEFAULT '',
  `tres_usage_out_max` text NOT NULL DEFAULT '',
  `tres_usage_out_max_taskid` text NOT NULL DEFAULT '',
  `tres_usage_out_max_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_out_min` text NOT NULL DEFAULT '',
  `tres_usage_out_min_taskid` text NOT NULL DEFAULT '',
  `tres_usage_out_min_nodeid` text NOT NULL DEFAULT '',
  `tres_usage_out_tot` text NOT NULL DEFAULT '',
  PRIMARY KEY (`job_db_inx`,`id_step`,`step_het_comp`),
  KEY `no_step_comp` (`job_db_inx`,`id_step`),
  KEY `time_start_end` (`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_step_table` WRITE;
/*!40000 ALTER TABLE `other_step_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_step_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_suspend_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_suspend_table` (
  `job_db_inx` bigint(20) unsigned NOT NULL,
  `id_assoc` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL DEFAULT 0,
  `time_end` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`job_db_inx`,`time_start`),
  KEY `job_db_inx_times` (`job_db_inx`,`time_start`,`time_end`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_suspend_table` WRITE;
/*!40000 ALTER TABLE `other_suspend_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_suspend_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_usage_day_table` WRITE;
/*!40000 ALTER TABLE `other_usage_day_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `other_usage_hour_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id_tres` int(11) NOT NULL,
  `time_start` bigint(20) unsigned NOT NULL,
  `count` bigint(20) unsigned NOT NULL DEFAULT 0,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `down_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `pdown_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `idle_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `plan_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  `over_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id_tres`,`time_start`),
  KEY `time_start` (`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_usage_month_table` WRITE;
/*!40000 ALTER TABLE `other_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_wckey_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_wckey_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `is_def` tinyint(4) NOT NULL DEFAULT 0,
  `id_wckey` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `wckey_name` tinytext NOT NULL DEFAULT '',
  `user` tinytext NOT NULL,
  PRIMARY KEY (`id_wckey`),
  UNIQUE KEY `udex` (`wckey_name`(42),`user`(42))
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_wckey_table` WRITE;
/*!40000 ALTER TABLE `other_wckey_table` DISABLE KEYS */;
INSERT INTO `other_wckey_table` VALUES
(1741604323,1741604323,0,1,1,'laser','alice'),
(1741604325,1741604325,0,1,2,'acid','bob'),
(1741604327,1741604327,0,1,3,'','carol'),
(1741604330,1741604330,0,0,4,'mirror','alice');
/*!40000 ALTER TABLE `other_wckey_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_wckey_usage_day_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_wckey_usage_day_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_wckey_usage_day_table` WRITE;
/*!40000 ALTER TABLE `other_wckey_usage_day_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_wckey_usage_day_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_wckey_usage_hour_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_wckey_usage_hour_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_wckey_usage_hour_table` WRITE;
/*!40000 ALTER TABLE `other_wckey_usage_hour_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_wckey_usage_hour_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `other_wckey_usage_month_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `other_wckey_usage_month_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(10) unsigned NOT NULL,
  `id_tres` int(11) NOT NULL DEFAULT 1,
  `time_start` bigint(20) unsigned NOT NULL,
  `alloc_secs` bigint(20) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`,`id_tres`,`time_start`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `other_wckey_usage_month_table` WRITE;
/*!40000 ALTER TABLE `other_wckey_usage_month_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `other_wckey_usage_month_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `qos_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `qos_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` tinytext NOT NULL,
  `description` text DEFAULT NULL,
  `flags` int(10) unsigned DEFAULT 0,
  `grace_time` int(10) unsigned DEFAULT NULL,
  `max_jobs_pa` int(11) DEFAULT NULL,
  `max_jobs_per_user` int(11) DEFAULT NULL,
  `max_jobs_accrue_pa` int(11) DEFAULT NULL,
  `max_jobs_accrue_pu` int(11) DEFAULT NULL,
  `min_prio_thresh` int(11) DEFAULT NULL,
  `max_submit_jobs_pa` int(11) DEFAULT NULL,
  `max_submit_jobs_per_user` int(11) DEFAULT NULL,
  `max_tres_pa` text NOT NULL DEFAULT '',
  `max_tres_pj` text NOT NULL DEFAULT '',
  `max_tres_pn` text NOT NULL DEFAULT '',
  `max_tres_pu` text NOT NULL DEFAULT '',
  `max_tres_mins_pj` text NOT NULL DEFAULT '',
  `max_tres_run_mins_pa` text NOT NULL DEFAULT '',
  `max_tres_run_mins_pu` text NOT NULL DEFAULT '',
  `min_tres_pj` text NOT NULL DEFAULT '',
  `max_wall_duration_per_job` int(11) DEFAULT NULL,
  `grp_jobs` int(11) DEFAULT NULL,
  `grp_jobs_accrue` int(11) DEFAULT NULL,
  `grp_submit_jobs` int(11) DEFAULT NULL,
  `grp_tres` text NOT NULL DEFAULT '',
  `grp_tres_mins` text NOT NULL DEFAULT '',
  `grp_tres_run_mins` text NOT NULL DEFAULT '',
  `grp_wall` int(11) DEFAULT NULL,
  `preempt` text NOT NULL DEFAULT '',
  `preempt_mode` int(11) DEFAULT 0,
  `preempt_exempt_time` int(10) unsigned DEFAULT NULL,
  `priority` int(10) unsigned DEFAULT 0,
  `usage_factor` double NOT NULL DEFAULT 1,
  `usage_thres` double DEFAULT NULL,
  `limit_factor` double DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `udex` (`name`(42))
) ENGINE=InnoDB AUTO_INCREMENT=26 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `qos_table` WRITE;
/*!40000 ALTER TABLE `qos_table` DISABLE KEYS */;
INSERT INTO `qos_table` VALUES
(1741604305,1741604318,0,1,'normal','Normal QOS default',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'','','','','','','','',NULL,NULL,NULL,NULL,'','','',NULL,'',0,NULL,10,1,NULL,NULL),
(1741604317,1741604318,0,3,'high','comes first',192,0,NULL,3,NULL,NULL,NULL,NULL,10,'','','','1=4,1001=2','','','','',2880,NULL,NULL,NULL,'1=6,2=4000','','',NULL,',4,1,',0,NULL,100,2,NULL,NULL),
(1741604317,1741604317,0,4,'low','what is left',0,60,10,NULL,6,4,NULL,30,NULL,'1=8','','1=4','','1=100000','','','1=1',NULL,20,12,50,'','1=2000000','1=60000',100000,'',2,18000,1,0.5,0.1,1.5);
/*!40000 ALTER TABLE `qos_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `res_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `res_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` tinytext NOT NULL,
  `description` text DEFAULT NULL,
  `manager` tinytext NOT NULL,
  `server` tinytext NOT NULL,
  `count` int(10) unsigned DEFAULT 0,
  `type` int(10) unsigned DEFAULT 0,
  `flags` int(10) unsigned DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `udex` (`name`(42),`server`(42),`type`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `res_table` WRITE;
/*!40000 ALTER TABLE `res_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `res_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `table_defs_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `table_defs_table` (
  `creation_time` int(10) unsigned NOT NULL,
  `mod_time` int(10) unsigned NOT NULL DEFAULT 0,
  `table_name` text NOT NULL,
  `definition` text NOT NULL,
  PRIMARY KEY (`table_name`(50))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `table_defs_table` WRITE;
/*!40000 ALTER TABLE `table_defs_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `table_defs_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `tres_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `tres_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `deleted` tinyint(4) NOT NULL DEFAULT 0,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `type` tinytext NOT NULL,
  `name` tinytext NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `udex` (`type`(42),`name`(42))
) ENGINE=InnoDB AUTO_INCREMENT=1003 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `tres_table` WRITE;
/*!40000 ALTER TABLE `tres_table` DISABLE KEYS */;
INSERT INTO `tres_table` VALUES
(1741604305,0,1,'cpu',''),
(1741604305,0,2,'mem',''),
(1741604305,0,3,'energy',''),
(1741604305,0,4,'node',''),
(1741604305,0,5,'billing',''),
(1741604305,0,6,'fs','disk'),
(1741604305,0,7,'vmem',''),
(1741604305,0,8,'pages',''),
(1741604305,1,1000,'dynamic_offset',''),
(1741604310,0,1001,'gres','gpu'),
(1741604310,0,1002,'license','matlab');
/*!40000 ALTER TABLE `tres_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `txn_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `txn_table` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `timestamp` bigint(20) unsigned NOT NULL DEFAULT 0,
  `action` smallint(6) NOT NULL,
  `name` text NOT NULL,
  `actor` tinytext NOT NULL,
  `cluster` tinytext NOT NULL DEFAULT '',
  `info` blob DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `archive_purge` (`timestamp`,`cluster`(42))
) ENGINE=InnoDB AUTO_INCREMENT=128 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `txn_table` WRITE;
/*!40000 ALTER TABLE `txn_table` DISABLE KEYS */;
/*!40000 ALTER TABLE `txn_table` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `user_table`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `user_table` (
  `creation_time` bigint(20) unsigned NOT NULL,
  `mod_time` bigint(20) unsigned NOT NULL DEFAULT 0,
  `deleted` tinyint(4) DEFAULT 0,
  `name` tinytext NOT NULL,
  `admin_level` smallint(6) NOT NULL DEFAULT 1,
  PRIMARY KEY (`name`(42))
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `user_table` WRITE;
/*!40000 ALTER TABLE `user_table` DISABLE KEYS */;
INSERT INTO `user_table` VALUES
(1741604323,1741604323,0,'alice',1),
(1741604325,1741604325,0,'bob',2),
(1741604327,1741604327,0,'carol',3),
(1741604329,1741604329,0,'dave',1),
(1741604305,1741604305,0,'root',3);
/*!40000 ALTER TABLE `user_table` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

