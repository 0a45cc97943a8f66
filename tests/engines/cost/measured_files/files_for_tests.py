"""Files in the formats of the tools. They are written by hand after the tools' documentation and sources, and not recorded."""

from __future__ import annotations

import json

AI_HUB_PROFILE = json.dumps({
    "execution_summary": {"estimated_inference_time": 3652, "all_inference_times": [3000, 4000, 5000]},
    "execution_detail": [
        {"name": "conv1", "type": "CONV_2D", "compute_unit": "NPU", "execution_time": 1500},
        {"name": "fc", "type": "FULLY_CONNECTED", "compute_unit": "NPU", "execution_time": 900},
        {"name": "softmax", "type": "SOFTMAX", "compute_unit": "CPU", "execution_time": 20},
    ],
})  # fmt: skip
PERF_YAML = """supported_devices:
- Samsung Galaxy S25
precisions:
  float:
    components:
      Net-One:
        performance_metrics:
          Samsung Galaxy S25:
            tflite:
              inference_time_milliseconds: 2.5
              primary_compute_unit: NPU
              tool_versions: {qairt: 2.42.0}
              layer_counts: {total: 79, npu: 79}
            onnx:
              tokens_per_second: 11.5
  w8a8:
    components:
      Net-One:
        performance_metrics:
          Samsung Galaxy S25:
            tflite:
              inference_time_milliseconds: 0.9
              primary_compute_unit: NPU
"""
TRTEXEC_TIMES = json.dumps([
    {"startH2dMs": 0.1, "endH2dMs": 0.2, "startComputeMs": 0.3, "endComputeMs": 1.1, "startD2hMs": 1.1, "latencyMs": 1.1},
    {"startH2dMs": 2.1, "endH2dMs": 2.2, "startComputeMs": 2.3, "endComputeMs": 3.3, "startD2hMs": 3.3, "latencyMs": 1.3},
])  # fmt: skip
TRTEXEC_LOG = """[11/01/2024-10:32:46] [I] TensorRT version: 8.5.2
[11/01/2024-10:32:46] [I] Model: models/resnet50.onnx
[11/01/2024-10:33:02] [I] === Performance summary ===
[11/01/2024-10:33:02] [I] Throughput: 400 qps
[11/01/2024-10:33:02] [I] Latency: min = 2.8 ms, max = 2.9 ms, mean = 2.87 ms, median = 2.9 ms, percentile(99%) = 3 ms
[11/01/2024-10:33:02] [I] GPU Compute Time: min = 2.4 ms, max = 2.6 ms, mean = 2.5 ms, median = 2.5 ms, percentile(99%) = 2.6 ms
"""
ONNXRUNTIME = json.dumps([
    {"cat": "Session", "name": "session_initialization", "ph": "X", "dur": 90000, "ts": 1},
    {"cat": "Session", "name": "model_run", "ph": "X", "dur": 9000, "ts": 2},
    {"cat": "Session", "name": "model_run", "ph": "X", "dur": 3000, "ts": 3},
    {"cat": "Session", "name": "model_run", "ph": "X", "dur": 5000, "ts": 4},
])  # fmt: skip
LITERT = """INFO: STARTING!
INFO: Num threads: [4]
INFO: Graph: [./mobilenet_v1_1.0_224.tflite]
INFO: count=9 first=87112 curr=51629 min=51629 max=87112 avg=58147.4 std=11478 p5=51629 median=51962 p95=87112
INFO: count=50 first=52162 curr=49785 min=49088 max=686105 avg=6.37433e+04 std=60716 p5=49620 median=51891 p95=68628
INFO: Inference timings in us: Init: 119515, First inference: 87112, Warmup (avg): 58147.4, Inference (avg): 63743.2
"""
LITERT_OPERATORS = (
    LITERT
    + """Operator-wise Profiling Info for Regular Benchmark Runs:
============================== Run Order ==============================
\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]
\t                 CONV_2D\t   87.754\t   60.957\t 55.000%\t 55.000%\t     0.000\t        1\t[net/conv1/Relu6]:0
\t         FULLY_CONNECTED\t   53.628\t   49.870\t 45.000%\t100.000%\t     0.000\t        1\t[net/fc]:1

============================== Top by Computation Time ==============================
\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]
\t                 CONV_2D\t   87.754\t   60.957\t 55.000%\t 55.000%\t     0.000\t        1\t[net/conv1/Relu6]:0
"""
)
LITERT_CSV = """Operator-wise Profiling Info for Regular Benchmark Runs
Run Order
node type, first, avg_ms, %, cdf%, mem KB, times called, name
CONV_2D, 87.754, 60.957, 55.000%, 55.000%, 0.000, 1, [net/conv1/Relu6]:0
FULLY_CONNECTED, 53.628, 49.870, 45.000%, 100.000%, 0.000, 1, [net/fc]:1

"""
RKNN = """===================================================================================================
                              Network Layer Information Table
---------------------------------------------------------------------------------------------------
ID   OpType         DataType Target InputShape               OutputShape      Cycles(DDR/NPU/Total)  Time(us)  FullName
---------------------------------------------------------------------------------------------------
1    InputOperator  INT8     CPU    \\                        (1,3,224,224)    0/0/0                  7         InputOperator:data
2    ConvRelu       INT8     NPU    (1,3,224,224),(32,3,3,3) (1,32,112,112)   94150/10584/94150      428       Conv:conv1
3    Softmax        INT8     CPU    (1,1000)                 (1,1000)         0/0/0                  65        Softmax:prob
---------------------------------------------------------------------------------------------------
Total Operator Elapsed Per Frame Time(us): 500
Total Memory Read/Write Per Frame Size(KB): 289739
"""
HAILO = """Network resnet_v1_50/resnet_v1_50: 100% | 3272 | FPS: 1328.10 | ETA: 00:00:00

=======
Summary
=======
FPS     (hw_only)                 = 1250
        (streaming)               = 1200
Latency (hw)                      = 2.5 ms
Device 0000:01:00.0:
  Power in streaming mode (average) = 3 W
                          (max)     = 3.2 W
"""
HAILO_CSV = """net_name,fps,hw_only_fps,num_of_frames,hw_latency,overall_latency,min_power,average_power,max_power
net_one,1200,1250,18000,2.5,,2.9,3,3.2
net_two,,,0,,,,,
net_three,-5,,0,,,,,
"""
MLPERF_TINY = """00123.010 ulp-mlperf: ---------------------------------------------------------
00123.010 ulp-mlperf: Median throughput is    250.000 inf./sec.
00123.010 ulp-mlperf: ---------------------------------------------------------
00300.000 ulp-mlperf: Median energy cost is   85.25 uJ/inf.
"""
TABLE = """Board;Model;Accelerator;dtype;Batch size;Latency [ms];License
Jetson AGX Xavier;resnet50;GPU;int8;1;1.98;CC-BY-4.0
Jetson AGX Xavier;resnet50;GPU;fp16;8;14,2;CC-BY-4.0
Jetson AGX Xavier;resnet50;GPU;fp16;8;14.2;CC-BY-4.0
Jetson AGX Xavier;resnet50;GPU;fp17;8;14.2;CC-BY-4.0
Jetson AGX Xavier;resnet50;GPU;fp16;0;14.2;CC-BY-4.0
Jetson AGX Xavier;resnet50;GPU;fp16;1;-3;CC-BY-4.0
"""
