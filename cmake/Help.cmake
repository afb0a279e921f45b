# What the programs print for --help, taken apart: for the manual and for completion.
file(GLOB HELP_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/help/*.c)
add_library(helptext STATIC ${HELP_SOURCES})
target_include_directories(helptext PUBLIC ${CMAKE_SOURCE_DIR}/tools/help)
target_link_libraries(helptext PUBLIC sluicelib)
