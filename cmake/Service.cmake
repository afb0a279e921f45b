# What a system needs around the daemons: units, users, places, rotation of logs.
set(SLUICE_UNIT_DIR lib/systemd/system CACHE STRING "Where unit files go, below the prefix or absolute")
set(SLUICE_SYSUSERS_DIR lib/sysusers.d CACHE STRING "Where sysusers.d(5) files go")
set(SLUICE_TMPFILES_DIR lib/tmpfiles.d CACHE STRING "Where tmpfiles.d(5) files go")

foreach(unit slurmctld slurmd slurmdbd munge)
    configure_file(${CMAKE_SOURCE_DIR}/etc/systemd/${unit}.service.in
                   ${CMAKE_BINARY_DIR}/systemd/${unit}.service @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/systemd/${unit}.service DESTINATION ${SLUICE_UNIT_DIR})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/etc/systemd/sysusers.conf DESTINATION ${SLUICE_SYSUSERS_DIR}
        RENAME sluice.conf)
install(FILES ${CMAKE_SOURCE_DIR}/etc/systemd/tmpfiles.conf DESTINATION ${SLUICE_TMPFILES_DIR}
        RENAME sluice.conf)
install(FILES ${CMAKE_SOURCE_DIR}/etc/logrotate/slurm DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/logrotate.d
        RENAME sluice)
