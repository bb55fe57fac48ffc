package diagnose

import (
	"strings"
	"testing"
)

// TestCapacity reads messages of many tools about launches that do not get the shared memory they request.
func TestCapacity(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"tilelang 1252": {
			"RuntimeError: Initialization failed: Failed to set the allowed dynamic shared memory size to 331776 with error: invalid argument\n",
			[]string{"331776 bytes of dynamic shared memory", "no target has 331776 bytes for a CTA"},
		},
		"flash-fft-conv 19": {
			`ERROR: CUDA RT call "cudaFuncSetAttribute(&monarch_conv_cuda_32_32_32_kernel<32, 8, 32768, 2, 16, false, 2, 8, 8>, ` +
				`cudaFuncAttributeMaxDynamicSharedMemorySize, 135168)" in line 969 of file monarch.cu failed with invalid argument (1).`,
			[]string{"135168 bytes of dynamic shared memory", "135168 bytes fit sm80, sm87, sm90"},
		},
		"warp 1701": {
			"Warp UserWarning: Failed to configure kernel dynamic shared memory for this device, tried to configure " +
				"big_tile_cuda_kernel_forward kernel for 101120 bytes, but maximum available is 101376",
			[]string{"101120 bytes of dynamic shared memory are asked for and 101376 are there", "more than 256 bytes of it"},
		},
		"flash-attention 2750": {
			"Error: kernel '...FlashAttentionForwardSm80...' launch shared memory exceeds current GPU\narch sm_89 allowed. " +
				"Allocated: 131072 bytes. Max: 101376 bytes.\n",
			[]string{"131072 bytes are asked for, 101376 are there: 29696 too many", "the limit of sm86, sm89"},
		},
	} {
		r, err := Read(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range r.Findings {
			text += f.Condition + "\n"
			for _, o := range f.Operands {
				text += o.Value + "\n"
			}
			for _, r := range f.Repairs {
				text += r.Say + "\n"
			}
		}
		for _, say := range c.says {
			if !strings.Contains(text, say) {
				t.Errorf("%s: %q is not in\n%s", name, say, text)
			}
		}
	}
}
