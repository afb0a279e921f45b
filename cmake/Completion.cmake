# Completion for shells: etc/completion/SHELL.in with what the programs' own tables say put into it.
add_executable(completions ${CMAKE_SOURCE_DIR}/tools/completion/completions.c)
target_link_libraries(completions PRIVATE helptext)

set(commands ${SLUICE_USER_ROLES} sluice)
list(REMOVE_ITEM commands munge unmunge remunge)
foreach(shell bash zsh)
    set(template ${CMAKE_SOURCE_DIR}/etc/completion/${shell}.in)
    set(script ${CMAKE_BINARY_DIR}/completion/${shell})
    add_custom_command(OUTPUT ${script}
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/completion
                       COMMAND completions ${template} ${script} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${commands}
                       DEPENDS completions sluice ${template}
                       VERBATIM)
    list(APPEND scripts ${script})
endforeach()
add_custom_target(completion ALL DEPENDS ${scripts})

# bash looks for a file with the command's name.
set(folder ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completion/bash DESTINATION ${folder} RENAME sluice)
list(REMOVE_ITEM commands sluice)
sluice_install_links(sluice ${folder} ${commands})
install(FILES ${CMAKE_BINARY_DIR}/completion/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
        RENAME _sluice)
