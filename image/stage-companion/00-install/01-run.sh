#!/bin/bash -e
# Installs the project's own package, which image/build.sh has put into files/.
package=$(basename files/tabletop-companion_*_all.deb)
install -m 644 "files/${package}" "${ROOTFS_DIR}/root/${package}"
on_chroot << CHROOT
apt-get install -y --no-install-recommends "/root/${package}"
rm "/root/${package}"
systemctl enable companion.service companion-first-start.service
raspi-config nonint do_spi 0
CHROOT
sed -i "s/^OPTIONS=.*/OPTIONS=--port 80/" "${ROOTFS_DIR}/etc/default/companion"
if [ -n "${SETUP_PASSWORD}" ]; then
    # The table's own Wi-Fi at the first start, as its label says.
    printf 'SETUP_PASSWORD=%s\n' "${SETUP_PASSWORD}" > "${ROOTFS_DIR}/etc/default/companion-first-start"
    chmod 600 "${ROOTFS_DIR}/etc/default/companion-first-start"
fi
