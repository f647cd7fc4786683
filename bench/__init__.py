"""What is measured: how well memories are found, and how fast everything is.

One thread of arithmetic, so that numbers of different machines and runs can be compared; set before numpy loads.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
