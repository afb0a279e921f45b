# The names under which the one executable is found; argv[0] chooses the role. They are those of the
# table in src/main.c; what is not for administrators only goes to bin.
set(SLUICE_SYSTEM_ROLES slurmctld slurmd slurmdbd munged mungekey)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/main.c)
file(STRINGS ${CMAKE_SOURCE_DIR}/src/main.c rows REGEX "^    { \"[a-z]+\", [a-z]+_main, ")
foreach(row IN LISTS rows)
    string(REGEX REPLACE "^    { \"([a-z]+)\".*" "\\1" role "${row}")
    list(APPEND SLUICE_USER_ROLES ${role})
endforeach()
list(REMOVE_ITEM SLUICE_USER_ROLES sluice ${SLUICE_SYSTEM_ROLES})

include(GNUInstallDirs)
install(TARGETS sluice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# In the build tree, so that tests and `sluice up` can run the roles without an install.
foreach(role IN LISTS SLUICE_USER_ROLES SLUICE_SYSTEM_ROLES)
    add_custom_command(TARGET sluice POST_BUILD
                       COMMAND ${CMAKE_COMMAND} -E create_symlink sluice
                               ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${role})
endforeach()

function(sluice_install_links target folder)
    foreach(role IN LISTS ARGN)
        install(CODE "
            set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${role}\")
            get_filename_component(dir \"\${link}\" DIRECTORY)
            file(MAKE_DIRECTORY \"\${dir}\")
            file(CREATE_LINK ${target} \"\${link}\" SYMBOLIC)")
    endforeach()
endfunction()
sluice_install_links(sluice ${CMAKE_INSTALL_BINDIR} ${SLUICE_USER_ROLES})
sluice_install_links(../${CMAKE_INSTALL_BINDIR}/sluice ${CMAKE_INSTALL_SBINDIR} ${SLUICE_SYSTEM_ROLES})
