package service

import (
	"strings"
	"testing"
)

// What the answers say of layouts that stand still, are known at run time only, or go on beyond the addresses.
func TestDescriptorSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		req  DescriptorRequest
		ok   bool
		says []string
	}{
		{
			"rows at one place",
			DescriptorRequest{Expr: "Sw<0,3,3> o 0 o ((8,8),(8,2)):((8,0),(1,64))", Type: "f16"},
			true,
			[]string{"stride byte offset         0  0 bytes from 8 rows to the next 8"},
		},
		{"fields of zero", DescriptorRequest{Decode: "start=0", Type: "f16"}, true, []string{
			"leading byte offset        0  0 bytes from 16 bytes along K to the next",
			"stride byte offset         0  0 bytes from 8 rows to the next 8",
		}},
		{"one row of the swizzle", DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,16)", Type: "f16"}, true, []string{
			"leading byte offset        0  not read: there is no next",
		}},
		{"one piece along K", DescriptorRequest{Decode: "start=0,sbo=128", Type: "f16", Shape: "64,8"}, true, []string{
			"leading byte offset        0  not read: there is no next", "128 bytes from 8 rows to the next 8",
		}},
		{
			"stages out of reach",
			DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (64,64,40):(64,1,4096)", Type: "f16"},
			false,
			[]string{"stage 32 of 40 begins at byte 262144", "0 to 262128", "32 stages are within reach"},
		},
		{"a field that is none", DescriptorRequest{Idesc: "m=128,n=256,a=e2m1,sf=ue4m3", Kind: "mxf4nvf4"}, false, []string{
			`found "sf=ue4m3"`,
		}},
		{"scale factors", DescriptorRequest{Idesc: "m=128,n=256,a=e2m1,scale=ue4m3", Kind: "mxf4nvf4"}, true, []string{
			"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [d], a-desc, b-desc, idesc, [scale-a], [scale-b], p;",
		}},
		{"sparse", DescriptorRequest{Idesc: "m=128,n=256,a=f16,sparse=1"}, true, []string{
			"tcgen05.mma.sp.cta_group::1.kind::f16 [d], a-desc, b-desc, [metadata], idesc, p;",
		}},
		{"no number", DescriptorRequest{Idesc: "m=128,n=999999999999,a=s8", Kind: "i8"}, false, []string{
			`expected a number of at most 32 bits for n, found "999999999999"`,
		}},
		{"run-time extents", DescriptorRequest{Expr: "Sw<3,3,3> o 0 o (M,64):(64,1)", Type: "f16"}, false, []string{
			"integers that are known", "(M,64):(64,1)",
		}},
	} {
		r := new(Session).Descriptor(c.req)
		text := r.Text()
		if r.Error != nil {
			text += r.Error.Message + " " + r.Error.Hint
		}
		if r.OK != c.ok || strings.Contains(text, " ; ") {
			t.Errorf("%s: %+v", c.name, r)
		}
		for _, say := range c.says {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(say), " ")) {
				t.Errorf("%s: %q is not in\n%s", c.name, say, text)
			}
		}
	}
}
