"""Items: what people have on a site. Each app declares its kinds in its module `items`; no kind is listed anywhere else."""
