package reader_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// The test reads matrices as people write them. Texts that only look like one keep their reading.
func TestMatrices(t *testing.T) {
	t.Parallel()
	const lower = "matrix{rows=[[1,0],[1,1]]}"
	for text, want := range map[string]string{
		`\begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}`:                          lower,
		`$$L_1=\begin{pmatrix}1&0\\1&1\\ \end{pmatrix} x$$ holds`:               "L_1: " + lower,
		`\[ A = \left[ \begin{array}{cc} 1 & 0 \\ 1 & 1 \end{array} \right] \]`: "A: " + lower,
		"[1 0; 1 1]":                               lower,
		"the map M = [1,0; 1,1] is":                "M: " + lower,
		"[[1,0],[1,1]]":                            lower,
		"[[1 0]\n [1 1]]":                          lower,
		"[[1, 0],\n [1, 1]]":                       lower,
		"A is [[1,1],[1,1]], and B":                "matrix{rows=[[1,1],[1,1]]}",
		"f([[1,0],[1,1]], 3)":                      "((1,0),(1,1))",
		"[[1,0], 1, [1,1]]":                        "((1,0),1,(1,1))",
		"[0;0;1]":                                  "matrix{rows=[[0],[0],[1]]}",
		"[4;8]":                                    "<4,8>",
		"[1;1]":                                    "<1,1>",
		"a [[1,0],[1,1]]: b":                       "((1,0),(1,1))",
		`\begin{bmatrix}x_1 \\ x_2\end{bmatrix}`:   `! matrix of LaTeX: not read: expected cells 0 and 1, as a matrix over F2 has, found "x_1"`,
		`\begin{bmatrix}M & \\ & I\end{bmatrix}`:   `! matrix of LaTeX: not read: expected cells 0 and 1, as a matrix over F2 has, found "M"`,
		`\begin{bmatrix} & 1\end{bmatrix}`:         `! matrix of LaTeX: not read: expected cells 0 and 1, as a matrix over F2 has, found an empty cell`,
		`\begin{bmatrix} 1 & 0 \\ 1 \end{bmatrix}`: `! matrix of LaTeX: not read: expected 2 cells in row 1 as in row 0, found 1`,
		"[1 2; 3 4]":                               `! matrix in brackets: not read: expected cells 0 and 1, as a matrix over F2 has, found "2"`,
		`\begin{bmatrix} 1 & 0 \begin{bmatrix}`:    "",
		`\begin{cases} 1 \end{cases}`:              "",
		`\begin{bmatrix}` + strings.Repeat(`1&`, 64) + `1\end{bmatrix}`: "! matrix of LaTeX: not read: a matrix has at most 64 rows and columns, found 1 and 65",
	} {
		r := reader.Read(text)
		var got []string
		for _, it := range r.Items {
			if it.Name != "" {
				it.Text = it.Name + ": " + it.Text
			}
			got = append(got, it.Text)
		}
		for _, u := range r.Unread {
			got = append(got, "! "+u.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The matrices of a page are all found, or reported as not read.
func TestMatricesOfPage(t *testing.T) {
	t.Parallel()
	r := reader.Read("以$$L=Mx=\\begin{bmatrix}0 & 0 & 1 \\\\ 1 & 0 & 0 \\\\ 0 & 1 & 0\\end{bmatrix}" +
		"\\begin{bmatrix}x_1 \\\\ x_2 \\\\ x_4\\end{bmatrix}$$，$$L_1=\\begin{bmatrix} 0 \\\\ 0 \\\\ 1\\end{bmatrix} x_2$$和" +
		"$$L_2=\\begin{bmatrix} 0 & 0 \\\\ 1 & 0 \\\\ 0 & 0 \\end{bmatrix} \\begin{bmatrix}x_1 \\\\ x_4\\end{bmatrix}$$。")
	var got []string
	for _, it := range r.Items {
		got = append(got, it.Text)
	}
	want := "[matrix{rows=[[0,0,1],[1,0,0],[0,1,0]]} matrix{rows=[[0],[0],[1]]} matrix{rows=[[0,0],[1,0],[0,0]]}]"
	if fmt.Sprint(got) != want || len(r.Unread) != 1 || r.Unread[0].Times != 2 {
		t.Errorf("%v, not read %v, want %s and two columns of names", got, r.Unread, want)
	}
}
