# Which container engine is here, and how it is asked. To be sourced; sets:
#   build_image TAG        builds the Dockerfile of the current folder
#   container COMMAND...   the engine's own commands
#   run_container ARG...   `run` with the arguments that the engine needs here
#   published              how a port of the container is reached: "ports" (-p) or "host"
base=docker.io/library/debian:bookworm-slim

if docker info >/dev/null 2>&1; then
    published=ports
    container() { docker "$@"; }
    run_container() { docker run "$@"; }
    build_image() { docker build --quiet --tag "$1" . >/dev/null; }
elif command -v podman >/dev/null && command -v buildah >/dev/null; then
    published=host
    runtime=()
    ! command -v runc >/dev/null || runtime=(--runtime runc)
    pull=()
    # A base image that is here already may come from no registry at all.
    ! podman image exists "$base" || pull=(--pull-never)
    # Without systemd nobody runs the health check now and then, which podman says each time.
    container() { podman "${runtime[@]}" "$@" 2> >(grep -v 'systemd connection' >&2); }
    # The docker format, since the other one knows no health check. The chroot needs no privileges
    # that a container or a small machine may lack; nor do the lower limits below.
    run_container() {
        container run --network host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$@"
    }
    build_image() {
        buildah bud --quiet --format docker --isolation chroot "${pull[@]}" --tag "$1" . >/dev/null
    }
else
    echo "This check needs a running docker, or podman and buildah; neither is here." >&2
    exit 1
fi
