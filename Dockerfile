# The service: everything it needs is in the image, nothing is fetched at run time.
FROM python:3.11-slim-bookworm AS build

# PyTorch without CUDA is a twentieth of the size; another index has the one with it.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY constraints.txt ./
RUN python -m venv /opt/policy_rag \
 && /opt/policy_rag/bin/pip install --constraint constraints.txt --index-url "$TORCH_INDEX" \
      --extra-index-url https://pypi.org/simple torch
COPY . .
RUN /opt/policy_rag/bin/pip install --constraint constraints.txt '.[serve,postgres,milvus]'

# The embedding model is made ready to run here, once: at run time the image is read-only.
ENV POLICY_RAG_MODEL_CACHE=/opt/policy_rag/models HOME=/tmp
RUN mkdir /tmp/policies \
 && printf '# Leave\n\nAnnual leave is 28 days.\n' > /tmp/policies/leave.md \
 && /opt/policy_rag/bin/policy-rag ingest /tmp/policies --index /tmp/index --offline \
 && /opt/policy_rag/bin/policy-rag ask 'How long is annual leave?' --index /tmp/index --offline --llm extractive \
 && chmod -R a+rX /opt/policy_rag


FROM python:3.11-slim-bookworm

COPY --from=build /opt/policy_rag /opt/policy_rag
# The caches of libraries go to the one place besides /data that can be written.
ENV PATH=/opt/policy_rag/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    POLICY_RAG_MODEL_CACHE=/opt/policy_rag/models \
    POLICY_RAG_OFFLINE=1 \
    HOME=/tmp
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/api/v1/health', timeout=4)"]
ENTRYPOINT ["policy-rag"]
CMD ["serve", "--host", "0.0.0.0"]
