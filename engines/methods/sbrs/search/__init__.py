"""The network search of SBRS: networks of clusters, trained for real, selected by accuracy, throughput, memory and energy."""
