"""The classic board on the globe: which lands make each place, as lists of countries and cut lines of our own.

Countries are named as Natural Earth names them. Longitudes run from -169 to 191, so that no land is torn.
Borders of the board decide where cut lines run, not those of today: Ural reaches China, Kamchatka Mongolia.
"""

from forms import Cut, Drawing, Lens, Move, Projection

# Parts of countries, taken in this order; what is left of a country goes where COUNTRIES say.
CUTS = (
    # North America
    Cut("alaska", "United States of America", "-169,74 -169,50 -128,50 -128,74"),
    Cut("", "United States of America", "-169,50 -150,50 -150,10 -169,10"),  # Hawaii
    Cut("", "United States of America", "165,66 191,66 191,45 165,45"),  # islands off Asia
    Cut(
        "eastern_united_states",
        "United States of America",
        "-95.2,60 -95.2,49.5 -96.6,46 -96.2,43 -95.4,40.5 -97.5,38.6 -100,37 -101.2,35.3 -103,33.5 -104,31.7 "
        "-105.2,30.5 -105.5,20 -60,20 -60,60",
    ),
    Cut(
        "northwest_territory",
        "Canada",
        "-142,60 -95,60 -85,61.5 -80,63 -74,62.9 -67,60.9 -60,60.6 -55,66 -50,84 -142,84",
        straight=True,
    ),
    Cut(
        "quebec",
        "Canada",
        "-79.6,63 -79.2,54.5 -79.5,51.3 -79.5,47.6 -77.6,46.2 -74.8,45.4 -74.5,40 -50,40 -50,63",
        straight=True,
    ),
    Cut("alberta", "Canada", "-142,60.5 -103.2,60.5 -102.2,48 -142,48", straight=True),
    # South America
    Cut("venezuela", "France", "-60,10 -45,10 -45,0 -60,0"),
    # Europe
    Cut("", "Norway", "5,82 5,74 36,74 36,82"),  # Svalbard
    Cut("", "Norway", "-12,74 -12,70 0,70 0,74"),
    Cut("", "Spain", "-20,30 -10,30 -10,25 -20,25"),  # the Canaries
    Cut("", "Portugal", "-40,45 -12,45 -12,30 -40,30"),
    Cut("northern_europe", "Russia", "19,56 23.5,56 23.5,54 19,54"),  # Kaliningrad
    # Asia
    Cut(
        "ukraine",
        "Russia",
        "20,82 48,82 50,71 58,69.8 65.5,69.3 66,68 62.5,66.2 59.8,64.5 59,61 59.5,58.5 57.6,56.6 59,54.2 "
        "58.2,52.5 58.6,50.2 58,38 20,38",
    ),
    Cut(
        "ural",
        "Russia",
        "50,82 72,82 74.5,72.2 74,69 77.5,67.5 78.5,64 81,62.4 82,60 84.6,58.4 85,56 87,54.4 87,52.6 88.3,51 "
        "87.6,49 85,48 50,48",
    ),
    Cut("ural", "Kazakhstan", "76.2,54.6 76.8,52.8 78.4,51.3 78.6,49.6 80.4,48.2 81.6,46.9 83,46 88.5,46 89,52"),
    Cut(
        "kamchatka",
        "Russia",
        "191,76 160,76 160.5,70.2 158.5,67.6 153,66 150.5,64 145,62.5 141,60.6 136.5,59.6 134.8,57.5 131,56.2 "
        "127.5,56.5 122.5,56 119,54 116.8,52.3 115.4,50.7 114.6,48.5 120,46 135,40 150,40 191,45",
    ),
    Cut(
        "irkutsk",
        "Russia",
        "97.2,48 97.6,51 96.2,53.2 99,55.2 101.6,58 105,60 106.4,62.4 109,64.3 113,63.6 116,61.2 119.6,60.6 "
        "124,60.2 128.5,61.3 133.5,60.9 139,61 139,52 120,48",
    ),
    Cut("siberia", "Russia", "70,85 112.5,85 113,73.2 111,71.5 112,69 108.5,66.8 109.5,63.5 105,58 105,48 70,48"),
    Cut("china", "Mongolia", "86,53 92.2,53 91.6,50.8 92.8,49 91.6,47.4 93,46 93,43 86,43"),
    Cut(
        "mongolia",
        "China",
        "95,53 104.5,43.2 106.5,41.2 109.5,40.5 112.5,41.2 115.5,41 118,41.2 119.8,40 121,38.2 125,38 140,40 "
        "140,58 100,58",
    ),
    Cut("siam", "Malaysia", "99,8 105,8 105,0.9 99,2"),
    # Australia
    Cut("new_guinea", "Indonesia", "129,1.5 145,1.5 145,-10 137,-10 135,-6 131.5,-3.6 129,-1.2", straight=True),
    Cut(
        "western_australia",
        "Australia",
        "110,-8 139.2,-8 138.8,-18 136.4,-21.5 136.8,-25 135,-28.5 135.6,-31 134,-34 134,-38 110,-38",
    ),
)

COUNTRIES = {
    "greenland": "Greenland",
    "ontario": "Canada",
    "quebec": "St. Pierre and Miquelon",
    "western_united_states": "United States of America",
    "central_america": "Mexico, Guatemala, Belize, Honduras, El Salvador, Nicaragua, Costa Rica, Panama, "
    "Cuba, Jamaica, "
    "Haiti, Dominican Rep., Puerto Rico, Bahamas",
    "venezuela": "Venezuela, Colombia, Guyana, Suriname, Trinidad and Tobago",
    "peru": "Peru, Ecuador, Bolivia",
    "brazil": "Brazil",
    "argentina": "Argentina, Chile, Uruguay, Paraguay",
    "iceland": "Iceland",
    "great_britain": "United Kingdom, Ireland, Isle of Man",
    "scandinavia": "Norway, Sweden, Finland, Åland",
    "northern_europe": "Germany, Poland, Denmark, Netherlands, Belgium, Luxembourg, Czechia, Austria, "
    "Switzerland, "
    "Liechtenstein, Slovakia, Hungary",
    "western_europe": "France, Spain, Portugal, Andorra, Monaco",
    "southern_europe": "Italy, San Marino, Vatican, Slovenia, Croatia, Bosnia and Herz., Serbia, Kosovo, "
    "Montenegro, "
    "Albania, Macedonia, Greece, Bulgaria, Romania, Malta",
    "ukraine": "Ukraine, Belarus, Moldova, Estonia, Latvia, Lithuania",
    "north_africa": "Morocco, W. Sahara, Algeria, Tunisia, Mauritania, Mali, Niger, Chad, Senegal, Gambia, "
    "Guinea-Bissau, "
    "Guinea, Sierra Leone, Liberia, Côte d'Ivoire, Burkina Faso, Ghana, Togo, Benin, Nigeria",
    "egypt": "Egypt, Libya",
    "east_africa": "Sudan, S. Sudan, Eritrea, Djibouti, Ethiopia, Somalia, Somaliland, Kenya, Uganda, Rwanda, "
    "Burundi, Tanzania",
    "congo": "Dem. Rep. Congo, Congo, Gabon, Eq. Guinea, Cameroon, Central African Rep.",
    "south_africa": "South Africa, Lesotho, eSwatini, Namibia, Botswana, Zimbabwe, Mozambique, Malawi, "
    "Zambia, Angola",
    "madagascar": "Madagascar",
    "middle_east": "Turkey, Cyprus, N. Cyprus, Syria, Lebanon, Israel, Palestine, Jordan, Iraq, Iran, Kuwait, "
    "Saudi Arabia, "
    "Qatar, Bahrain, United Arab Emirates, Oman, Yemen, Georgia, Armenia, Azerbaijan",
    "afghanistan": "Kazakhstan, Uzbekistan, Turkmenistan, Kyrgyzstan, Tajikistan, Afghanistan",
    "yakutsk": "Russia",
    "mongolia": "Mongolia, North Korea, South Korea",
    "japan": "Japan",
    "china": "China, Taiwan, Hong Kong, Macao",
    "india": "India, Pakistan, Bangladesh, Nepal, Bhutan, Sri Lanka, Siachen Glacier",
    "siam": "Myanmar, Thailand, Laos, Cambodia, Vietnam, Singapore",
    "indonesia": "Indonesia, Malaysia, Brunei, Timor-Leste, Philippines",
    "new_guinea": "Papua New Guinea",
    "eastern_australia": "Australia",
}


WATERS = (
    "-92.1,46.7 -90.5,46.9 -88.3,47.4 -88.3,46.9 -87.3,46.5 -85,46.7 -84.6,46.5 -84.8,47.6 -86,48.7 -88.3,48.8 "
    "-89.4,48.1 -90.8,47.5",  # Lake Superior
    "-87.5,41.7 -86.7,41.8 -86.2,43 -86.4,44 -85.6,45 -85,45.9 -86.5,45.9 -87.6,45.1 -87.6,43.8 -87.9,43 "
    "-87.8,42.2",
    "-82.4,43 -81.7,43.4 -81.6,44.3 -81.3,45.1 -80,44.6 -79.9,45.1 -81,45.9 -82.5,46.1 -84.1,46.2 -84.6,45.8 "
    "-83.4,45.2 -83.4,44.3 -83.9,43.7 -82.9,44 -82.5,43.3",  # Lake Huron
    "-83.4,41.7 -82.5,41.4 -81.5,41.6 -79.6,42.4 -78.9,42.9 -80,42.8 -81.3,42.6 -82.4,42 -83.1,42.1",
    "-79.7,43.3 -78.5,43.4 -76.8,43.3 -76.2,43.6 -76.4,44.1 -77.6,44 -79,43.8",
    "-97,50.4 -96.2,50.6 -96.3,51.4 -97.4,52.6 -97.9,53.8 -99,53.8 -98.6,52.6 -97.4,51.4",  # Winnipeg
    "103.7,51.7 105.5,51.6 107.5,52.5 109.2,53.6 110,55.6 109.2,55.8 108.2,54.2 106.6,53.1 105,52",  # Baikal
    "31.8,-0.9 32.2,0.2 33.6,0.3 34.2,-0.3 33.7,-1.5 33,-2.4 32,-2.5",  # Lake Victoria
    "-6.6,36.2 -5,36.3 -5,35.75 -6.6,35.8",  # Gibraltar
    "42.3,14 43.4,14 43.9,12.4 45.5,12.7 45.5,12 43.4,11.6 42.9,12.6",  # Bab-el-Mandeb
    "10.5,57.6 11.3,57.6 12.6,56.4 12.9,55.2 12.4,55.2 12.35,55.9 11.5,56.3",  # the sounds of Denmark
    "-78,77.5 -71,78.2 -67,80 -60,82.4 -58,82.2 -66,79.6 -70,77.9 -76,77",  # between Ellesmere and Greenland
)

DRAWING = Drawing(
    Projection(
        west=-169,
        east=191,
        stretch=(
            (-60, 1.05),
            (-30, 1.12),
            (0, 1.1),
            (30, 1.22),
            (45, 1.45),
            (55, 1.65),
            (65, 1.6),
            (70, 1.2),
            (76, 0.8),
            (84, 0.6),
        ),
        narrowing=0.26,
        lenses=(Lens(9, 48, 31, 0.75),),
    ),
    CUTS,
    COUNTRIES,
    seeds={},
    made_up=(),
    waters=WATERS,
    faint="New Zealand, Falkland Is., Solomon Is., New Caledonia, Vanuatu, Fiji",
    moves={
        "iceland": Move(1.6, down=2),
        "great_britain": Move(1.2, right=-3, down=-2),
        "japan": Move(1.65, right=14, down=4),
        "madagascar": Move(1.3, right=5),
        "new_guinea": Move(1.2, right=3),
    },
    ways={
        ("northwest_territory", "greenland"): "-68,68 -56,69.5",
        ("greenland", "ontario"): "-47,61.2 -71,64.3 -91,67 -85.5,55.6",
        ("greenland", "quebec"): "-46,60.4 -61,56.5",
        ("brazil", "north_africa"): "-35.5,-6 -25,6 -16,13.5",
        ("alaska", "kamchatka"): "-166,64.5 -169,64 189,65.5 186,65.5",
    },
    labels={},
)
