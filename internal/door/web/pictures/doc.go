// Package pictures has no code of its own. Its tests run the modules of the page in node and compare what they show of
// values with brute force: where elements are in each grid, their labels, what the inspector says, what is lit, and
// what a comparison says.
package pictures
