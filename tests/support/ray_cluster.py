"""A Ray cluster of two machines, both this one. Prints its address and runs until its standard input ends."""

import os
import sys


def main() -> None:
    """Runs it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    machine = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=machine)
    cluster.add_node(**machine)
    print(cluster.address, flush=True)
    sys.stdin.read()
    cluster.shutdown()


if __name__ == "__main__":
    main()
