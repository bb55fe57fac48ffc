package service

// The examples of forms that take PTX: a kernel of four warps whose threads read what others stored, without a barrier
// between.

const formPTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry reverse(.param .u64 to) {
  .reg .b32 %t, %u, %s, %v;
  .reg .b64 %p, %q;
  .shared .align 4 .b8 tile[512];
  mov.u32 %t, %tid.x;
  mov.u32 %s, tile;
  mad.lo.u32 %u, %t, 4, %s;
  st.shared.u32 [%u], %t;
  // bar.sync 0; is missing here
  sub.u32 %u, 127, %t;
  mad.lo.u32 %u, %u, 4, %s;
  ld.shared.u32 %v, [%u];
  ld.param.u64 %p, [to];
  mul.wide.u32 %q, %t, 4;
  add.u64 %p, %p, %q;
  st.global.u32 [%p], %v;
  ret;
}
`

const formRun = `{
  "block": [128, 1, 1],
  "buffers": [{"name": "to", "type": "u32", "bytes": 512, "fill": {"kind": "byte", "value": 0}}],
  "params": [{"kind": "buffer", "buffer": "to"}]
}
`

const formLitmus = `PTX message_passing
{ x = 0; y = 0; }
 P0@cta 0            | P1@cta 1            ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y;
 st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x;
exists (1:r0=1 /\ 1:r1=0)
`
