# What an installation holds besides the program, and how it is removed again. Everything that repeats what the
# program knows of itself (options, verbs, releases) is written by lacuna_manual, which is part of the build.
include(GNUInstallDirs)

set(texts "${CMAKE_SOURCE_DIR}/packaging")
set(made "${CMAKE_BINARY_DIR}/packaging")
set(icons "${CMAKE_SOURCE_DIR}/resources/icons")
set(LACUNA_MAINTAINER "The Lacuna authors <lacuna-viewer@users.noreply.github.com>" CACHE STRING
    "Who answers for the packages: Name <address>")
set(LACUNA_HOMEPAGE "https://github.com/lacuna-viewer/lacuna") # a placeholder, as the id is

# The same sources give the same texts: dates are those of the change log.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(epoch "$ENV{SOURCE_DATE_EPOCH}")
else()
  file(TIMESTAMP "${texts}/CHANGELOG.md" epoch "%s" UTC)
endif()
set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
string(TIMESTAMP date "%Y-%m-%d" UTC)

set(page "${made}/lacuna.1.scd")
set(metainfo "${made}/${LACUNA_APP_ID}.metainfo.xml")
set(completions "${made}/completions/lacuna" "${made}/completions/_lacuna" "${made}/completions/lacuna.fish")
add_custom_command(OUTPUT ${page} ${metainfo} ${completions} "${made}/changelog"
  COMMAND lacuna_manual "${texts}" "${made}" "${LACUNA_APP_ID}" "${PROJECT_VERSION}" "${date}"
    "${LACUNA_MAINTAINER}"
  DEPENDS lacuna_manual "${texts}/lacuna.1.scd" "${texts}/CHANGELOG.md" "${texts}/${LACUNA_APP_ID}.metainfo.xml"
  COMMENT "Writing manual page, completions and releases" VERBATIM)
add_custom_command(OUTPUT "${made}/changelog.gz"
  COMMAND gzip -9nc "${made}/changelog" > "${made}/changelog.gz"
  DEPENDS "${made}/changelog" VERBATIM)
set(wanted ${metainfo} ${completions} "${made}/changelog.gz")

find_program(LACUNA_SCDOC scdoc DOC "Makes the manual page; without it there is none")
if(LACUNA_SCDOC)
  add_custom_command(OUTPUT "${made}/lacuna.1.gz"
    COMMAND ${CMAKE_COMMAND} -E env "SOURCE_DATE_EPOCH=${epoch}" "${LACUNA_SCDOC}" < "${page}" > "${made}/lacuna.1"
    COMMAND gzip -9nc "${made}/lacuna.1" > "${made}/lacuna.1.gz"
    DEPENDS "${page}" VERBATIM)
  list(APPEND wanted "${made}/lacuna.1.gz")
  install(FILES "${made}/lacuna.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
else()
  message(STATUS "scdoc is not installed: an installation will have no manual page")
endif()
add_custom_target(lacuna_manual_files ALL DEPENDS ${wanted})

# The licence texts, word by word, in the form that Debian reads.
function(lacuna_licence_text path out)
  file(READ "${CMAKE_SOURCE_DIR}/${path}" text)
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REGEX REPLACE "\n[ \t]*\n" "\n.\n" text "${text}")
  string(REGEX REPLACE "\n[ \t]*\n" "\n.\n" text "${text}") # a second blank line in a row
  string(REPLACE "\n" "\n " text "${text}")
  set(${out} " ${text}" PARENT_SCOPE)
endfunction()
lacuna_licence_text(LICENSE MIT_TEXT)
lacuna_licence_text(resources/fonts/OFL.txt OFL_TEXT)
configure_file("${texts}/copyright.in" "${made}/copyright" @ONLY)
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/resources/fonts/OFL.txt")

set(share "${CMAKE_INSTALL_DATADIR}")
install(FILES "${made}/copyright" "${made}/changelog.gz" DESTINATION "${share}/doc/lacuna")
install(FILES "${texts}/${LACUNA_APP_ID}.desktop" DESTINATION "${share}/applications")
install(FILES ${metainfo} DESTINATION "${share}/metainfo")
install(FILES "${texts}/mime.xml" DESTINATION "${share}/mime/packages" RENAME "${LACUNA_APP_ID}.xml")
install(FILES "${made}/completions/lacuna" DESTINATION "${share}/bash-completion/completions")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh "${share}/zsh/vendor-completions")
else()
  set(zsh "${share}/zsh/site-functions")
endif()
install(FILES "${made}/completions/_lacuna" DESTINATION "${zsh}")
install(FILES "${made}/completions/lacuna.fish" DESTINATION "${share}/fish/vendor_completions.d")

set(hicolor "${share}/icons/hicolor")
foreach(size IN ITEMS 16 24 32 48 64 128 256 512)
  install(FILES "${icons}/png/lacuna-${size}.png" DESTINATION "${hicolor}/${size}x${size}/apps"
    RENAME "${LACUNA_APP_ID}.png")
endforeach()
install(FILES "${icons}/lacuna.svg" DESTINATION "${hicolor}/scalable/apps" RENAME "${LACUNA_APP_ID}.svg")
install(FILES "${icons}/lacuna-symbolic.svg" DESTINATION "${hicolor}/symbolic/apps"
  RENAME "${LACUNA_APP_ID}-symbolic.svg")
foreach(kind IN ITEMS trace workspace)
  install(FILES "${icons}/${kind}.svg" DESTINATION "${hicolor}/scalable/mimetypes"
    RENAME "${LACUNA_APP_ID}-${kind}.svg")
endforeach()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P "${texts}/uninstall.cmake"
  WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" VERBATIM COMMENT "Removing what was installed")
include("${texts}/cpack.cmake")
