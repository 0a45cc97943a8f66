"""Reads configurations of language, vision-language, speech and action models: one function per form of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.language.action_families import POLICIES, read_openvla, read_pi0, read_policy
from engines.workloads.language.configuration import Fields, parse_configuration
from engines.workloads.language.decoders import (
    read_deepseek,
    read_delta_hybrid,
    read_dense,
    read_lfm2,
    read_llama4,
    read_mamba2,
    read_nemotron_h,
)
from engines.workloads.language.dense_families import FAMILIES, LLAMA_7B
from engines.workloads.language.encoders import (
    read_clip_vision,
    read_contrastive,
    read_intern_vision,
    read_llama4_vision,
    read_mistral3_vision,
    read_open_clip,
    read_pixtral_vision,
    read_qwen_vision,
    read_siglip_vision,
    read_vit,
)
from engines.workloads.language.gemma_families import read_gemma3n, read_gemma4
from engines.workloads.language.hybrid_families import read_hybrid, read_zamba2
from engines.workloads.language.model import LanguageModel, Stack
from engines.workloads.language.recurrent_mixers import read_mamba1, read_rwkv7
from engines.workloads.language.speech_encoders import read_moonshine, read_phi4_multimodal, read_sound, read_whisper
from engines.workloads.language.weights import Projection

Decoder = Callable[[Fields, str], Stack]

_DECODERS: dict[str, Decoder] = {
    **dict.fromkeys(FAMILIES, read_dense),
    **dict.fromkeys(("deepseek", "deepseek_v2", "deepseek_v3", "kimi_k2", "minicpm3"), read_deepseek),
    "llama4": read_llama4,
    **dict.fromkeys(("qwen3_next", "qwen3_5", "qwen3_5_moe"), read_delta_hybrid),
    **dict.fromkeys(("lfm2", "lfm2_moe"), read_lfm2),
    **dict.fromkeys(("mamba", "falcon_mamba"), read_mamba1),
    **dict.fromkeys(("mamba2", "mamba_ssm"), read_mamba2),
    "nemotron_h": read_nemotron_h,
    **dict.fromkeys(("granitemoehybrid", "bamba", "falcon_h1", "jamba"), read_hybrid),
    "zamba2": read_zamba2,
    "rwkv7": read_rwkv7,
    "gemma3n": read_gemma3n,
    "gemma4": read_gemma4,
}
_ENCODERS: dict[str, Callable[[Fields, str], Stack]] = {
    **dict.fromkeys(("vit", "deit", "dinov2", "dinov2_with_registers", "dinov3_vit"), read_vit),
    **dict.fromkeys(("siglip_vision_model", "siglip2_vision_model"), read_siglip_vision),
    "clip_vision_model": read_clip_vision,
    "pixtral": read_pixtral_vision,
}
_WITH_IMAGES = (
    "idefics3",
    "smolvlm",
    "paligemma",
    "llava",
    "llava_next",
    "llava_onevision",
    "lfm2_vl",
    "internvl",
    "internvl_chat",
)
_OMNI = ("qwen2_5_omni", "qwen3_omni_moe")
# Towers of these models are not described: the text part stands for the model, as its published sizes do.
_TEXT_ONLY = ("gemma3n", "gemma4", "ministral3")
_WITH_SOUND = ("qwen2_audio", "voxtral", *_OMNI, *(f"{kind}_thinker" for kind in _OMNI))
_PREDICTION_KEYS = ("num_nextn_predict_layers", "mtp_num_hidden_layers")


def read_language_model(source: str | bytes | Mapping[str, Any], name: str = "model") -> LanguageModel:
    """Return the model that a configuration describes.

    Args:
        source: JSON text or mapping in one of these forms: `config.json` of Hugging Face, `params.json` of ExecuTorch,
            configurations of open_clip and of mamba_ssm, or `parts`, a list of such configurations.
        name: name of the model.

    Raises:
        ProblemError: names the field, its value and what is accepted; for an unknown architecture, lists those that are known.
    """
    fields = parse_configuration(source)
    kind, stages = _stages(fields)
    decoder = next((stage for stage in stages if stage.kind == "decoder"), None)
    text = _text(fields)
    if any(text.values.get(key) or fields.values.get(key) for key in _PREDICTION_KEYS):
        fields.note("Layers that predict several tokens at once are not counted.")
    return LanguageModel(
        name=name,
        architecture=kind,
        stages=stages,
        vocabulary=decoder.head.outputs if decoder and decoder.head else 0,
        tied=decoder is not None and decoder.tied,
        context_tokens=text.size("max_position_embeddings", default=0, least=0),
        weight_bits=_weight_bits(fields, text),
        file_bits=_file_bits(fields),
        notes=tuple(fields.notes),
    )


def is_language_model(content: object) -> bool:
    """Return whether a document looks like the configuration of a model."""
    if not isinstance(content, Mapping) or "schema" in content or not isinstance(content.get("parts", []), list):
        return False
    return _form(content) != ""


def _form(content: Mapping[str, Any]) -> str:
    """Return the form of a configuration by its keys; "" for none."""
    for form, keys in (("parts", ("parts",)), ("open_clip", ("vision_cfg", "text_cfg")), ("mamba_ssm", ("d_model", "ssm_cfg")),
                       ("executorch", ("dim", "n_layers")), ("executorch_whisper", ("encoder", "llm"))):  # fmt: skip
        if all(key in content for key in keys):
            return form
    if content.get("type") in POLICIES and "model_type" not in content:
        return "lerobot"
    return "config.json" if "model_type" in content else ""


def _stages(fields: Fields) -> tuple[str, tuple[Stack, ...]]:
    """Return architecture and stages of a configuration of any form."""
    form = _form(fields.values)
    if form == "parts":
        return "parts", _parts(fields)
    if form == "lerobot":
        return fields.word("type"), _with_actions(fields, fields.word("type"))
    if form == "open_clip":
        return form, read_open_clip(fields, form)
    if form == "mamba_ssm":
        return "mamba2", (read_mamba2(_from_mamba_ssm(fields), form),)
    if form == "executorch":
        return _executorch(fields)
    if form == "executorch_whisper":
        return "whisper", read_whisper(_from_executorch_whisper(fields), "whisper")
    kind = fields.word("model_type")
    if not kind:
        raise ProblemError("model_type", None, "the architecture of the model, as config.json of Hugging Face gives it")
    return kind, _by_kind(fields, kind)


def _by_kind(fields: Fields, kind: str) -> tuple[Stack, ...]:
    text_kind = kind.removesuffix("_text") if kind not in _DECODERS else kind
    if kind in _WHOLE:
        return _WHOLE[kind](fields, kind)
    if kind in _ENCODERS:
        return (_ENCODERS[kind](fields, kind),)
    if text_kind not in _DECODERS:
        raise _unknown(fields, kind)
    text = _text(fields)
    stack = _DECODERS[text_kind](text, text_kind)
    if not fields.has("vision_config") and not fields.has("audio_config"):
        return (stack,)
    if text_kind in _TEXT_ONLY:
        fields.note("Encoders of images and sound are not described: the text part alone is counted.")
        return (stack,)
    towers = {"gemma3": _gemma3_vision, "llama4": read_llama4_vision, "mistral3": read_mistral3_vision}
    vision = fields.section("vision_config")
    if kind in towers:
        return *towers[kind](vision, fields, stack.width), stack
    return *read_qwen_vision(vision, kind, stack.width), stack


def _with_sound(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return the encoders of images and sound, as far as the configuration has them, and the decoder."""
    if fields.has("thinker_config"):
        fields.note("Talker and wave generator are not described: the thinker, which answers in words, is counted.")
        fields = fields.section("thinker_config")
    decoder = _decoder_of(fields, {"voxtral": "llama", "qwen2_audio": "qwen2"}.get(kind, kind.removesuffix("_thinker")))
    stages: list[Stack] = []
    if fields.has("vision_config"):
        family = "qwen2_5_vl" if kind.startswith("qwen2") else "qwen3_vl"
        stages += read_qwen_vision(fields.section("vision_config"), family, decoder.width)
    return *stages, *read_sound(fields.section("audio_config"), kind, decoder.width), decoder


def _unknown(fields: Fields, kind: str) -> ProblemError:
    return ProblemError(f"{fields.place}model_type", kind, f"one of the known architectures: {', '.join(KNOWN)}")


def _text(fields: Fields) -> Fields:
    """Return the fields of the decoder: nested or not, with what the whole says about the head."""
    nested = next((each for each in ("thinker_config", "vlm_config") if fields.has(each)), "")
    if nested:
        return _text(fields.section(nested))
    name = next((each for each in ("text_config", "llm_config") if fields.has(each)), "")
    if not name:
        return fields
    text = fields.section(name)
    if fields.has("vocab_size"):
        text = text.under({"vocab_size": fields.values["vocab_size"]})
    if not fields.has("tie_word_embeddings"):
        return text
    # The head belongs to the whole, whose word counts.
    return Fields({**text.values, "tie_word_embeddings": fields.values["tie_word_embeddings"]}, text.place, text.notes)


def _decoder_of(fields: Fields, default: str) -> Stack:
    text = _text(fields)
    if text is fields:
        text = fields.section("text_config")  # which is missing
    if fields.word("model_type").startswith(("llava", "openvla")):
        text = text.with_defaults(LLAMA_7B)  # their files leave out what equals the defaults of Llama
    kind = text.word("model_type", default)
    kind = kind if kind in _DECODERS else kind.removesuffix("_text")
    if kind not in _DECODERS:
        raise _unknown(text, kind)
    return _DECODERS[kind](text, kind)


_PHI3_TOWER = "openai/clip-vit-large-patch14-336"
_IDEFICS_TOWER = {"hidden_size": 1152, "num_attention_heads": 16, "patch_size": 32}
_TEXT_DEFAULTS = {"paligemma": "gemma", "internvl": "qwen2", "internvl_chat": "qwen2", "lfm2_vl": "lfm2"}


def _with_images(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return tower, projector and decoder of a model that reads images."""
    decoder, vision = _decoder_of(fields, _TEXT_DEFAULTS.get(kind, "llama")), fields.section("vision_config")
    width = decoder.width
    maps: tuple[Projection, ...]
    norm = 0
    if kind.startswith("internvl"):
        return *read_intern_vision(vision, width, fields.number("downsample_ratio", 0.5)), decoder
    if kind in ("idefics3", "smolvlm"):
        tower = read_siglip_vision(vision.with_defaults(_IDEFICS_TOWER), kind, head=False)
        scale = fields.size("scale_factor", default=2) ** 2
        maps = (Projection("projector", tower.width * scale, width, tokens_per_row=scale),)
    elif kind == "lfm2_vl":
        tower = read_siglip_vision(vision.under({"num_patches": 256}), kind, head=False)
        merge, hidden = (
            fields.size("downsample_factor", default=2) ** 2,
            fields.size("projector_hidden_size", default=2560),
        )
        bias, inner = fields.flag("projector_bias", default=True), tower.width * merge
        maps = (
            Projection("up", inner, hidden, bias, tokens_per_row=merge),
            Projection("down", hidden, width, bias, tokens_per_row=merge),
        )
        norm = 2 * inner * fields.flag("projector_use_layernorm", default=True)
    elif kind == "paligemma":
        tower = read_siglip_vision(vision, kind, head=False)
        maps = (Projection("projector", tower.width, width, bias=True),)
    else:
        tower_kind = vision.word("model_type", "clip_vision_model")
        if tower_kind == "pixtral":
            tower = read_pixtral_vision(vision, tower_kind)
        elif tower_kind == "clip_vision_model":
            tower = read_clip_vision(vision, kind)
        else:
            tower = read_siglip_vision(vision, kind, head=False)
        bias = fields.flag("multimodal_projector_bias", default=True)
        maps = Projection("up", tower.width, width, bias), Projection("down", width, width, bias)
        norm = width * kind.startswith(("llava_next", "llava_onevision"))  # marks the end of a row of patches
    return (
        tower,
        Stack("projector", "projector", tower.width, (), tower.tokens, entry=maps, norm_elements=norm),
        decoder,
    )


def _gemma3_vision(vision: Fields, fields: Fields, width: int) -> tuple[Stack, Stack]:
    tower = read_siglip_vision(vision.under({"vision_use_head": False}), "gemma3")
    merge = max(1, tower.tokens // fields.size("mm_tokens_per_image", default=256))
    maps = (Projection("projector", tower.width, width, tokens_per_row=merge),)
    return tower, Stack("projector", "projector", tower.width, (), tower.tokens, entry=maps, norm_elements=tower.width)


def _parts(fields: Fields) -> tuple[Stack, ...]:
    """Return the stages of a list of configurations; `linear` is a map of `in` to `out` features."""
    parts = fields.values["parts"]
    if (
        not isinstance(parts, list)
        or not parts
        or len(parts) > 64
        or not all(isinstance(each, Mapping) for each in parts)
    ):
        raise ProblemError(f"{fields.place}parts", parts, "a list of 1 to 64 configurations")
    return _read_parts(fields, parts)


def _read_parts(fields: Fields, parts: Sequence[Mapping[str, Any]]) -> tuple[Stack, ...]:
    stages: list[Stack] = []
    for number, values in enumerate(parts):
        part = Fields(values, f"{fields.place}parts.{number}.", fields.notes)
        if part.word("model_type") == "linear":
            inputs, outputs = part.size("in"), part.size("out")
            projection = Projection("linear", inputs, outputs, part.flag("bias"))
            stages.append(Stack("projector", f"linear{number}", inputs, entry=(projection,)))
            continue
        if part.has("parts"):
            raise ProblemError(f"{part.place}parts", "a list", "left out within parts")
        if part.word("model_type") == "siglip_vision_model":
            part = part.under({"vision_use_head": False})
        stages += [_named(stage, number) for stage in _stages(part)[1]]
    return tuple(_with_projector_tokens(stages))


def _named(stage: Stack, number: int) -> Stack:
    return replace(stage, name=f"{stage.name}{number}")


def _with_projector_tokens(stages: list[Stack]) -> list[Stack]:
    """Return the same with the tokens of projectors right after an encoder: as many as it has, merged where widths say so."""
    placed: list[Stack] = []
    for stage in stages:
        before = placed[-1] if placed else None
        if stage.kind == "projector" and before is not None and before.tokens and stage.width % before.width == 0:
            merge = stage.width // before.width
            stage = replace(
                stage, tokens=before.tokens, entry=tuple(replace(each, tokens_per_row=merge) for each in stage.entry)
            )
        placed.append(stage)
    return placed


def _from_mamba_ssm(fields: Fields) -> Fields:
    multiple = fields.size("pad_vocab_size_multiple", default=8)
    vocabulary = -(-fields.size("vocab_size") // multiple) * multiple
    if fields.numbers("attn_layer_idx"):
        raise ProblemError("attn_layer_idx", fields.values["attn_layer_idx"], "an empty list (Mamba-2 layers alone)")
    layer = fields.section("ssm_cfg")
    if layer.word("layer", "Mamba1") != "Mamba2":
        raise ProblemError("ssm_cfg.layer", layer.word("layer", "Mamba1"), "Mamba2")
    names = {
        "hidden_size": fields.size("d_model"),
        "num_hidden_layers": fields.layers("n_layer"),
        "vocab_size": vocabulary,
    }
    shape = {"state_size": layer.size("d_state", default=128), "expand": layer.size("expand", default=2),
             "head_dim": layer.size("headdim", default=64), "n_groups": layer.size("ngroups", default=1),
             "conv_kernel": layer.size("d_conv", default=4)}  # fmt: skip
    tied = fields.flag("tie_embeddings", default=True)
    return Fields({**names, **shape, "tie_word_embeddings": tied}, "", fields.notes)


def _from_executorch_whisper(fields: Fields) -> Fields:
    encoder, decoder = fields.section("encoder"), fields.section("llm")
    names = {"vocab_size": decoder.size("vocab_size"), "decoder_layers": decoder.layers("num_hidden_layers"),
             "decoder_attention_heads": decoder.size("num_attention_heads"),
             "decoder_ffn_dim": decoder.size("intermediate_size"),
             "max_target_positions": decoder.size("max_target_positions", default=448)}  # fmt: skip
    return Fields({**encoder.values, **names}, "encoder.", fields.notes)


def _executorch(fields: Fields) -> tuple[str, tuple[Stack, ...]]:
    """Return the decoder of a params.json of ExecuTorch, which says what it has, not the name of its family."""
    width = fields.size("dim")
    tied = fields.flag("tie_word_embeddings", default=width < 4096)
    if not fields.has("tie_word_embeddings"):
        shared = "shared" if tied else "not shared"
        fields.note(
            f"The file does not say whether embedding and head share weights: {shared} is assumed ({width} features)."
        )
    shape = {"hidden_size": width, "num_hidden_layers": fields.layers("n_layers"), "num_attention_heads": fields.size("n_heads"),
             "num_key_value_heads": fields.size("n_kv_heads", default=fields.size("n_heads")), "tie_word_embeddings": tied,
             "intermediate_size": _executorch_hidden(fields, width),
             "head_dim": fields.size("head_dim", default=width // fields.size("n_heads"))}  # fmt: skip
    own = Fields({**fields.values, **shape}, "", fields.notes)
    kinds = fields.values.get("layer_types")
    if isinstance(kinds, list) and "conv" in kinds:
        return "lfm2", (read_lfm2(own, "lfm2"),)
    if isinstance(kinds, list) and "linear_attention" in kinds:
        return "qwen3_5", (read_delta_hybrid(own.under({"attn_output_gate": fields.flag("use_q_gate")}), "qwen3_5"),)
    kind = "qwen3" if fields.flag("use_qk_norm") else "qwen2" if fields.flag("attention_qkv_bias") else "llama"
    if fields.word("norm_type") == "olmo":
        kind = "olmo"
    if fields.flag("post_attention_norm"):
        kind = "gemma3_text" if fields.flag("use_qk_norm") else "gemma2"
        named = [_EXECUTORCH_KINDS.get(str(each), each) for each in kinds] if isinstance(kinds, list) else None
        own = Fields({**own.values, "layer_types": named}, "", fields.notes)
    return kind, (read_dense(own, kind),)


_EXECUTORCH_KINDS = {"local": "sliding_attention", "global": "full_attention"}


def _executorch_hidden(fields: Fields, width: int) -> int:
    if fields.has("hidden_dim"):
        return fields.size("hidden_dim")
    multiple = fields.size("multiple_of", default=256)
    hidden = int(fields.number("ffn_dim_multiplier", 1.0) * int(2 * 4 * width / 3))
    return -(-hidden // multiple) * multiple


STORED_AS_GGUF = "gguf"
_STORED_BITS = {"fp8": 8.0, "mxfp4": 4.25}


def _file_bits(fields: Fields) -> float:
    """Return the mean bits of a weight in the file that the configuration is of; 0 where it is of none."""
    quantisation = fields.values.get("quantization_config")
    stored = isinstance(quantisation, Mapping) and quantisation.get("quant_method") == STORED_AS_GGUF
    return _weight_bits(fields, fields) if stored else 0.0


def _weight_bits(fields: Fields, text: Fields) -> float:
    """Return the bits of a weight that the configuration states; 0 where it states none."""
    quantisation = fields.values.get("quantization_config")
    if isinstance(quantisation, Mapping):
        bits, method = quantisation.get("bits"), quantisation.get("quant_method")
        if isinstance(bits, int | float) and not isinstance(bits, bool) and 1 <= bits <= 32:
            return float(bits)
        if isinstance(method, str) and method in _STORED_BITS:
            return _STORED_BITS[method]
    kind = fields.values.get("torch_dtype") or fields.values.get("dtype") or text.values.get("dtype")
    return {"bfloat16": 16.0, "float16": 16.0, "float32": 32.0}.get(kind, 0.0) if isinstance(kind, str) else 0.0


def _with_actions(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return the stages of a model that acts."""
    if kind == "openvla":
        return read_openvla(fields, _decoder_of(fields, "llama"))
    if fields.has("vlm_config"):
        return read_pi0(fields, _with_images(fields.section("vlm_config"), "paligemma"), _read_parts)
    return read_policy(fields, kind, _read_parts)


def _phi3_vision(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return the image tower of Phi 3, CLIP of 336 x 336 pixels, a projector of four patches each, and the decoder."""
    processor = fields.section("img_processor")
    if processor.word("model_name", _PHI3_TOWER) != _PHI3_TOWER:
        raise ProblemError(f"{processor.place}model_name", processor.values["model_name"], _PHI3_TOWER)
    large = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
    tower, decoder = (
        read_clip_vision(Fields({**large, "image_size": 336, "patch_size": 14}), "clip"),
        read_dense(fields, "phi3"),
    )
    inner, width = 4 * tower.width, decoder.width
    up = Projection("up", inner, width, bias=True, tokens_per_row=4)
    # Two vectors mark the end of a row and of an image.
    maps = (up, replace(up, name="down", inputs=width))
    return (
        tower,
        Stack("projector", "projector", tower.width, (), tower.tokens - 1, entry=maps, norm_elements=2 * inner),
        decoder,
    )


def _phi4_multimodal(fields: Fields, kind: str) -> tuple[Stack, ...]:
    return read_phi4_multimodal(fields, read_dense(fields, "phi3"))


_WHOLE: dict[str, Callable[[Fields, str], tuple[Stack, ...]]] = {
    "whisper": read_whisper,
    "moonshine": read_moonshine,
    **dict.fromkeys(("clip", "siglip", "siglip2"), read_contrastive),
    **dict.fromkeys(_WITH_IMAGES, _with_images),
    **dict.fromkeys(_WITH_SOUND, _with_sound),
    **dict.fromkeys(("openvla", *POLICIES), _with_actions),
    **dict.fromkeys(("phi4_multimodal", "phi4mm"), _phi4_multimodal),
    "phi3_v": _phi3_vision,
}
KNOWN = tuple(sorted({*_DECODERS, *_ENCODERS, *_WHOLE} - {"mamba_ssm"}))
