#!/bin/sh
# Gives a client a new API key and each of its webhook endpoints a new signing secret, without a moment in which either fails.
#
#   ADMIN_PASSWORD='…' KEY='sk_…' sh docs/examples/key-rotation.sh
#
# KEY is the key to replace. It needs the scopes webhooks:read and webhooks:write for the endpoints, and the new key has the
# same scopes. BASE_URL is the address of the service, GRACE for how many seconds the old ones work on.
set -eu
: "${ADMIN_PASSWORD:?set it to the admin password}" "${KEY:?set it to the API key to replace}"
export KEY ADMIN_PASSWORD
BASE_URL=${BASE_URL:-http://127.0.0.1:3000}
GRACE=${GRACE:-86400}

# call <JavaScript> <bearer token> <method> <path> [<body>]: prints a value of the JSON `d` that is answered. An error is
# printed as it was answered, and ends the script: every answer goes into a variable first, for a pipe or a loop would go on.
call() {
  answer=$(curl --silent --show-error --fail-with-body -X "$3" "$BASE_URL$4" -H "Authorization: Bearer $2" \
    ${5:+-H 'Content-Type: application/json' -d "$5"}) || { echo "$answer" >&2; return 1; }
  printf '%s' "$answer" | node -e "const d = JSON.parse(require('fs').readFileSync(0, 'utf8') || null); console.log($1)"
}
ids='d.data.map((one) => one.id).join(" ")'

# 1. An administrator finds the key by its first letters and rotates it. The answer shows the new secret, once.
password=$(node -p 'JSON.stringify({ password: process.env.ADMIN_PASSWORD })')
admin=$(call d.token none POST /admin/v1/login "$password")
trap 'call d "$admin" POST /admin/v1/logout >/dev/null' EXIT
projects=$(call "$ids" "$admin" GET '/admin/v1/projects?limit=100')
set --
for project in $projects; do
  keys=$(call 'd.data
    .filter((key) => key.status === "active" && process.env.KEY.startsWith(key.prefix))
    .filter((key) => ["webhooks:read", "webhooks:write"].every((scope) => key.scopes.includes(scope)))
    .map((key) => key.id).join(" ")' "$admin" GET "/admin/v1/projects/$project/api_keys?limit=100")
  for key in $keys; do set -- "$@" "/admin/v1/projects/$project/api_keys/$key"; done
done
[ $# -eq 1 ] || { echo "$# active keys with the scopes for webhooks begin like KEY: rotate yours by its id." >&2; exit 1; }
new=$(call d.secret "$admin" POST "$1/rotate" "{\"grace_period_seconds\":$GRACE}")
echo "New API key: $new"

# 2. The client uses the new key, and each endpoint gets a new secret. Webhooks are signed with both until the grace period is
#    over; a receiver that checks either of them changes over whenever it likes.
endpoints=$(call "$ids" "$new" GET '/v1/webhook_endpoints?limit=100')
for endpoint in $endpoints; do
  secret=$(call d.secret "$new" POST "/v1/webhook_endpoints/$endpoint/rotate_secret" "{\"grace_period_seconds\":$GRACE}")
  echo "New secret of $endpoint: $secret"
done

# 3. The old key works on until the grace period is over. Where nobody uses it any more it can be revoked before that, here:
#    call d "$admin" DELETE "$1"
