# Manual pages: docs/man/NAME.SECTION.in with what the programs' own tables say put into it.
file(GLOB MANUAL_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/man/*.c)
add_executable(manpages ${MANUAL_SOURCES})
target_include_directories(manpages PRIVATE ${CMAKE_SOURCE_DIR}/tools/man)
target_link_libraries(manpages PRIVATE helptext)

file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.in)
file(GLOB notes CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.keys)
set(pages)
foreach(template IN LISTS templates)
    get_filename_component(name ${template} NAME_WLE)
    string(REGEX MATCH "[0-9]$" section ${name})
    set(page ${CMAKE_BINARY_DIR}/man/man${section}/${name})
    add_custom_command(OUTPUT ${page}
                       COMMAND ${CMAKE_COMMAND} -E make_directory
                               ${CMAKE_BINARY_DIR}/man/man${section}
                       COMMAND manpages ${template} ${page} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
                       DEPENDS manpages sluice ${template} ${notes}
                       VERBATIM)
    list(APPEND pages ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
add_custom_target(manual ALL DEPENDS ${pages})
