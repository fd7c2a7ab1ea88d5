"""CHIMAX BOOKS: tricks of one card from everybody, question marks that stand for numbers, and a target to reach."""
