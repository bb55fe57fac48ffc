"""The tests of girih for Python: python3 -m unittest discover -t python -s python/tests, with girih installed."""

import os
import subprocess
import sys
import textwrap

# A kernel that runs until it is ended.
SPIN = """.version 8.0
.target sm_90
.address_size 64
.visible .entry spin() {
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
$again:
  add.u32 %r1, %r1, 1;
  bra.uni $again;
}
"""

# y[i] = a * x[i] for i < n. With wrong, the bound is not looked at.
SCALE = """.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.f32 %f1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p ret;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.f32 %f3, %f1, %f2;
  st.global.f32 [%rd5], %f3;
  ret;
}
"""


def python(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Runs a program in a Python of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120,
    )  # fmt: skip
