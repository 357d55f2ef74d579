# docker build --tag pokade . && docker run --publish 7654:7654 --volume pokade:/data pokade
ARG PYTHON=3.13

# The wheel, with the built client inside; Node and its modules stay behind here.
FROM python:${PYTHON}-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --constraint constraints.txt --wheel-dir /wheels .
RUN python -m venv /opt/pokade \
 && /opt/pokade/bin/pip install --no-cache-dir --constraint constraints.txt /wheels/*.whl \
 && /opt/pokade/bin/pip uninstall --yes pip \
 && find /opt/pokade -name tests -type d -prune -exec rm -rf {} +

FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --home-dir /data --no-create-home pokade \
 && install --directory --owner=pokade --mode=0700 /data
COPY --from=build /opt/pokade /opt/pokade
ENV PATH=/opt/pokade/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/data \
    XDG_CACHE_HOME=/data/cache \
    POKADE_LOG_FORMAT=json \
    POKADE_LOG_LEVEL=info
USER pokade
WORKDIR /data
VOLUME /data
EXPOSE 7654
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"POKADE_PORT\", 7654)}/readyz', timeout=4)"]
ENTRYPOINT ["pokade"]
CMD ["serve", "--warm"]
