#!/bin/sh
# Gives a client a new API key and each of its webhook endpoints a new signing secret, without a moment in which either fails.
#
#   ADMIN_PASSWORD='…' KEY='sk_…' sh docs/examples/key-rotation.sh
#
# KEY is the key to replace. BASE_URL is the address of the service, GRACE for how many seconds the old ones work on.
set -eu
: "${ADMIN_PASSWORD:?set it to the admin password}" "${KEY:?set it to the API key to replace}"
export KEY ADMIN_PASSWORD
BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
GRACE=${GRACE:-86400}

# call <bearer token> <method> <path> [<body>]
call() {
  curl --silent --show-error --fail-with-body -X "$2" "$BASE_URL$3" -H "Authorization: Bearer $1" \
    ${4:+-H 'Content-Type: application/json' -d "$4"}
}

# pick <JavaScript>: prints a value of the JSON `d` that it reads.
pick() {
  node -e "const d = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log($1)"
}

# 1. An administrator finds the key by its first letters and rotates it. The answer shows the new secret, once.
password=$(node -p 'JSON.stringify({ password: process.env.ADMIN_PASSWORD })')
admin=$(call none POST /admin/v1/login "$password" | pick d.token)
found=
for project in $(call "$admin" GET '/admin/v1/projects?limit=100' | pick 'd.data.map((one) => one.id).join(" ")'); do
  keys=/admin/v1/projects/$project/api_keys
  found="$found $(call "$admin" GET "$keys?limit=100" | PATH_OF_KEYS=$keys pick 'd.data
    .filter((key) => key.status === "active" && process.env.KEY.startsWith(key.prefix))
    .map((key) => `${process.env.PATH_OF_KEYS}/${key.id}`).join(" ")')"
done
set -- $found
[ $# -eq 1 ] || { echo "$# active keys begin like KEY: rotate yours by its id." >&2; exit 1; }
new=$(call "$admin" POST "$1/rotate" "{\"grace_period_seconds\":$GRACE}" | pick d.secret)
call "$admin" POST /admin/v1/logout >/dev/null
echo "New API key: $new"

# 2. The client uses the new key. The old one works on until the grace period is over, or until it is revoked:
#    call "$admin" DELETE "$1"
call "$new" GET '/v1/conversations?limit=1' >/dev/null

# 3. Each endpoint gets a new secret. Webhooks are signed with both until the grace period is over; a receiver that checks
#    either of them changes over whenever it likes.
for endpoint in $(call "$new" GET '/v1/webhook_endpoints?limit=100' | pick 'd.data.map((one) => one.id).join(" ")'); do
  secret=$(call "$new" POST "/v1/webhook_endpoints/$endpoint/rotate_secret" "{\"grace_period_seconds\":$GRACE}" | pick d.secret)
  echo "New secret of $endpoint: $secret"
done
