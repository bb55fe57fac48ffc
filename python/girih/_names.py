"""What to use for a name that girih does not have: the names of PyCuTe, tensor-layouts and CuTe, and misspelt ones."""

from __future__ import annotations

from typing import Iterable

ELSEWHERE = {
    "ComposedLayout": "make_composed_layout", "CopyAtom": "copy_atom", "MMAAtom": "mma", "Tensor": "make_tensor",
    "Tile": "make_tile", "TiledCopy": "tiled_copy", "TiledMma": "tiled_mma", "TiledMMA": "tiled_mma",
    "compute_col_major_strides": "compact_col_major", "compute_row_major_strides": "compact_row_major",
    "crd2flat": "crd2idx", "crd2offset": "crd2idx", "dice_modes": "dice", "hier_unzip": "tile_unzip",
    "is_affine": "recognize", "partition_Src": "partition_S", "partition_Dst": "partition_D",
    "prefix_product": "compact_col_major", "suffix_product": "compact_row_major", "slice_modes": "slice_",
    "tv_layout_S": "get_layoutS_TV", "tv_layout_D": "get_layoutD_TV",
}  # fmt: skip


def unknown(name: str, names: Iterable[str]) -> str:
    """What an AttributeError says of a name."""
    import difflib

    known = list(names)
    lower = {n.lower(): n for n in known}
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.75)
    meant = ELSEWHERE.get(name) or (lower[near[0]] if near else None)
    return f"girih has no {name}" + (f": did you mean {meant}?" if meant else "; girih.help() lists its functions")
