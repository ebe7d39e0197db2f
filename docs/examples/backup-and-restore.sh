#!/bin/sh
# Backs up a running service, and tries the backup beside it: on another port, and without sending a webhook.
#
#   ADMIN_PASSWORD='…' KEY='sk_…' sh docs/examples/backup-and-restore.sh <folder>
#
# KEY is an API key of the service. BASE_URL is its address, COPY_PORT the port of the copy. Run it on the machine of the service,
# with its SECRETS_KEY where that is a setting: the backup has no key then.
set -eu
: "${ADMIN_PASSWORD:?set it to the admin password}" "${KEY:?set it to an API key}"
BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
COPY_PORT=${COPY_PORT:-3100}
copy=http://127.0.0.1:$COPY_PORT

case ${1:?name a folder that is missing or empty} in
  /*) folder=$1 ;;
  *) folder=$PWD/$1 ;;
esac
cd "$(dirname "$0")/../.."

# The copy of the store, and the key without which it cannot be read. Whoever has both can read every secret in it.
if [ -z "${SECRETS_KEY:-}" ]; then with_key=--with-key setting=; else with_key= setting="SECRETS_KEY='…' "; fi
npm run --silent backup -- "$folder" $with_key --url "$BASE_URL"

# The backup has every webhook that was waiting when it was made. The running service sends these: the trial must not. It has
# a copy of its own, because a service that runs changes what it has stored.
trial=$(mktemp -d)
cp "$folder"/* "$trial"
WEBHOOK_DELIVERY=hold DATA_DIR=$trial HOST=127.0.0.1 PORT=$COPY_PORT node tools/start.mjs >"$trial/output" 2>&1 &
service=$!
trap 'kill $service; wait $service || true; rm -rf "$trial"' EXIT
until curl --silent --fail --output "$trial/ready" "$copy/ready"; do
  kill -0 $service || { cat "$trial/output"; exit 1; }
  sleep 1
done
grep webhook_delivery "$trial/ready"

# What clients see of it.
for list in conversations customers appointments events; do
  echo "The newest of $list:"
  curl --silent --show-error --fail --max-time 10 "$copy/v1/$list?limit=1" -H "Authorization: Bearer $KEY"
  echo
done

echo "The backup can be used. To put it in the place of a service that is lost, start it with"
echo "  ${setting}WEBHOOK_DELIVERY=hold DATA_DIR=$folder npm start"
echo "look at it, and start it again without WEBHOOK_DELIVERY: what is overdue is then sent, in order."
