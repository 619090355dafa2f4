# Packages of an installation: `cmake --preset package && ninja -C build/package package` makes the .deb and .tgz;
# `cpack -G RPM` where rpmbuild is installed. Menus, MIME types and icon caches need no scripts: Debian's triggers
# watch the folders.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME lacuna)
set(CPACK_PACKAGE_VENDOR "The Lacuna authors")
set(CPACK_PACKAGE_CONTACT "${LACUNA_MAINTAINER}")
set(CPACK_PACKAGE_HOMEPAGE_URL "${LACUNA_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer that shows where a GPU is idle in a CUDA trace, and why")
set(CPACK_PACKAGE_DESCRIPTION
"Lacuna opens traces of the PyTorch profiler, other Chrome JSON traces and
exports of NVIDIA Nsight Systems, draws every row of them on one time axis,
finds every idle gap of every device and names the host call that blocked it.

It has a window and command-line verbs that print gaps, summaries and reports
and draw figures without a display. No GPU, driver or CUDA Toolkit is needed.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${LACUNA_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-wayland)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS qt6-xdgdesktopportal-platformtheme)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "MIT AND OFL-1.1")
set(CPACK_RPM_PACKAGE_GROUP Development/Tools)

set(CPACK_PACKAGE_FILE_NAME "lacuna-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}") # .tgz
include(CPack)
