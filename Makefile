# The plain pip lines that these targets stand for are in README.md.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: demo test lint format notebooks docs faults attack train clean

demo: $(STAMP)  ## ingest the sample company's policies and ask them
	$(BIN)/python -m policy_rag_eval.demo

test: $(STAMP)  ## all tests, three at a time, since many wait for a process: each with one thread for products of matrices; compiled once
	PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: $(STAMP)  ## what a change must pass besides the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/python tests/support/file_lengths.py
	$(BIN)/python tests/support/class_names.py

format: $(STAMP)  ## lay the code out and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

faults: $(STAMP)  ## kill ingests at 200 random moments, workers and a Postgres server at 100, fill the disk, and see what is left
	POLICY_RAG_KILLS=200 $(BIN)/python -m pytest tests/app/index/maintenance/test_faults.py tests/app/index/maintenance/test_postgres_faults.py
	POLICY_RAG_KILLS=100 $(BIN)/python -m pytest tests/app/jobs/test_killed_workers.py tests/app/index/maintenance/test_killed_server.py tests/app/index/maintenance/test_killed_milvus.py

attack: $(STAMP)  ## over 15,000 cases of hostile and mutated files, slips in statements on access, requests for hidden documents, special files, kills and servers, and 10,000 of who finds what in each store; a tenth or less in `make test`
	POLICY_RAG_ATTACK=1 $(BIN)/python -m pytest tests/attack tests/app/retrieval/test_access.py
	POLICY_RAG_ACCESS_CASES=10000 $(BIN)/python -m pytest tests/app/index/store/test_access_contract.py

notebooks: $(STAMP)  ## run the notebooks anew and keep their outputs
	$(BIN)/python -m policy_rag_eval.notebooks notebooks

train: $(STAMP)  ## make the reader anew from DATA, e.g. ../shared/training; goes on where it was stopped
	$(BIN)/python -m training.run $(DATA) --work .reader

docs: $(STAMP)  ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "policy_rag needs Python 3.11 to 3.13: run make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(STAMP)

clean:  ## remove what the other targets made
	rm -rf .venv .demo site .mypy_cache .ruff_cache .pytest_cache .hypothesis
