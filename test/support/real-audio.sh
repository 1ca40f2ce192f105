#!/usr/bin/env bash
# Collects real recordings that this project did not make, from Debian's packages, into a folder: WAV as
# packaged, and MP3 and M4A made of others, 150 files or more. Prints how many. The folder is kept: a second
# call finds it complete.
#
#   real-audio.sh <folder>
#
# Exit code 3, and the reason on stderr, where this machine cannot.
set -uo pipefail
folder=${1:?name a folder}
complete=$folder/.complete

cannot() { echo "no real audio here: $*" >&2; exit 3; }
count() { find "$folder" -type f ! -name '.*' | wc -l; }
if [ -e "$complete" ]; then count; exit 0; fi

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || cannot 'this is not Debian'
if ! command -v ffmpeg >/dev/null; then
  [ "$(id -u)" = 0 ] || cannot 'ffmpeg is not installed, and only root may install it'
  (apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y -q \
    --no-install-recommends ffmpeg) >/dev/null 2>&1 || cannot 'ffmpeg cannot be installed'
fi

work=$(mktemp -d) || cannot 'no temporary folder'
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$folder"
packages=(sound-icons sound-theme-freedesktop asterisk-core-sounds-en-wav)
fetch() { (cd "$work" && apt-get download -q "${packages[@]}") >/dev/null 2>&1; }
fetch || { apt-get update -q >/dev/null 2>&1; fetch; } || cannot "${packages[*]} cannot be downloaded"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root" || cannot "$package cannot be unpacked"; done

# pick <extension> <first> <last>: paths in order of the names, large enough to hold a sound.
pick() { find "$work/root" -type f -name "*.$1" -size +3k | LC_ALL=C sort | sed -n "$2,$3p"; }
convert() { ffmpeg -v error -nostdin -y -i "$1" "${@:3}" "$2" || cannot "ffmpeg cannot make $2"; }

n=0
name() { n=$((n + 1)); printf '%s/%03d_%s' "$folder" "$n" "$(basename "${1%.*}" | tr -c 'A-Za-z0-9\n' _)"; }
while read -r file; do cp "$file" "$(name "$file").wav"; done < <(pick wav 1 80)
while read -r file; do convert "$file" "$(name "$file").mp3" -ar 44100 -b:a 96k; done < <(pick wav 81 125)
while read -r file; do convert "$file" "$(name "$file").m4a" -c:a aac -b:a 96k; done < <(pick oga 1 40)
while read -r file; do convert "$file" "$(name "$file")_48k.wav" -ar 48000 -c:a pcm_s24le; done < <(pick oga 1 10)
[ "$(count)" -ge 150 ] || cannot "only $(count) files were found"
touch "$complete"
count
