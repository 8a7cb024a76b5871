# A whole club in one container: broker, database, service and wall, as `companion club start` keeps
# them; both servers run without privileges, by Debian's own users.
FROM debian:bookworm-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
       python3-venv mosquitto openssl postgresql \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python3 -m venv /companion \
    && /companion/bin/pip install --no-cache-dir "/source[club,metrics,headless]" \
    && rm -rf /source
VOLUME /club
EXPOSE 8010 8883
# Signals reach the club itself, which ends its servers in order.
ENTRYPOINT ["/companion/bin/companion", "club"]
CMD ["start", "--data", "/club"]
