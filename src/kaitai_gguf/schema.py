from kaitai_gguf_schema.types import BLOCKS, REMOVED_TYPES, Block, Field, GGMLType, ValueType
__all__ = ["BLOCKS", "REMOVED_TYPES", "Block", "Field", "GGMLType", "ValueType"]
