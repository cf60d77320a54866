#!/bin/sh
# Makes what compose.yaml needs and nobody else may know: .env and the folder secrets/, with new random passwords and a certificate that is
# signed by itself, to be replaced by a real one (secrets/tls.crt, secrets/tls.key). Nothing that is there is overwritten.
#   sh make-secrets.sh names.example.org
set -eu
host=${1:?"usage: make-secrets.sh HOST-NAME"}
cd "$(dirname "$0")"
if [ -e secrets ] || [ -e .env ]; then
  echo "make-secrets.sh: secrets/ or .env exists already; remove both to begin anew, which locks you out of data made with them" >&2
  exit 1
fi
umask 077
mkdir secrets

# Hexadecimal digits, so that nothing has to be quoted in a URL or in YAML.
random() {
  od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'
}
postgres_password=$(random 24)
access_key=$(random 10)
secret_key=$(random 24)

printf '%s' "$postgres_password" >secrets/postgres-password
printf 'ROOT_ACCESS_KEY=%s\nROOT_SECRET_KEY=%s\n' "$access_key" "$secret_key" >secrets/s3.env
cat >secrets/nameglass.yaml <<END
# The same on all nodes. Keep a copy apart from backups of the data: without the secret nobody's API key works.
secret: '$(random 32)'
store:
  postgres:
    url: postgres://nameglass:$postgres_password@postgres/nameglass
  s3:
    accessKey: '$access_key'
    secretKey: '$secret_key'
END
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$host" -addext "subjectAltName=DNS:$host" \
  -keyout secrets/tls.key -out secrets/tls.crt 2>/dev/null
# The containers' own users read these through their mounts; on this machine the folder keeps others out.
chmod 644 secrets/*
printf 'NAMEGLASS_HOST=%s\n' "$host" >.env
echo "secrets/ and .env are made; next: docker compose up --build --detach"
