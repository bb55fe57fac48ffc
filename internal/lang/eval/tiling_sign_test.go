package eval_test

import "testing"

// The test checks that ⊘ and ⊗ are logical_divide and logical_product between any expressions, associate to the left,
// and bind tighter than o and looser than the colon of a layout.
func TestTilingSigns(t *testing.T) {
	t.Parallel()
	wantValues(t, map[string]string{
		"let A = 16:1; let B = 4:2; A ⊘ B":                                             "(4,(2,2)):(2,(1,8))",
		"let A = (2,2):(4,1); let B = 6:1; A ⊗ B":                                      "((2,2),(2,3)):((4,1),(2,8))",
		"let A = 24:1; A ⊘ 12:1 ⊘ 4:1 == logical_divide(logical_divide(A, 12:1), 4:1)": "true",
		"4:2 o 16:1 ⊘ 4:1 == composition(4:2, logical_divide(16:1, 4:1))":              "true",
		"let a = (M,8):(8,1); a ⊘ <_,2>":                                               "(M,(2,4)):(8,(1,2))",
		"coalesce(16:1 ⊘ 4:1)":                                                         "16:1",
	})
}
