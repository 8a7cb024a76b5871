#!/bin/bash -e
# Makes the image of a table: COUNTRY=IT PASSWORD=... image/build.sh PI_GEN_FOLDER
# pi-gen (https://github.com/RPi-Distro/pi-gen, branch bookworm-arm64) and root are needed; --dry-run
# builds the package and says what would be run.
here=$(cd "$(dirname "$0")" && pwd)
dry=
if [ "$1" = --dry-run ]; then
    dry="echo"
    shift
fi
pi_gen=${1:?say in which folder pi-gen lies}
export COMPANION_STAGE="${here}/stage-companion"
# Whether all that is needed was said is told before anything is built.
# shellcheck source=image/config
( . "${here}/config" )
cd "${pi_gen}"
rm -f "${COMPANION_STAGE}"/00-install/files/*.deb
python3 "${here}/../tools/deb.py" --out "${COMPANION_STAGE}/00-install/files"
# Only the table's image is wanted, not that of the system it stands on.
$dry touch stage2/SKIP_IMAGES
$dry ./build.sh -c "${here}/config"
